import type { DataBlock } from "../protocol/messages/blocks.ts";

/** Such as `data of type image/png named "receipt"`. */
export function describeData({ name, source }: DataBlock): string {
  return `data of type ${source.media_type}${name ? ` named ${JSON.stringify(name)}` : ""}`;
}
