// Words for data in a conversation, where a provider or a model cannot be shown it.
import type { DataBlock } from "../../protocol/messages/blocks.ts";

/** Words for media, such as `data of type image/png named "receipt"`. */
export function describeData({ name, source }: DataBlock): string {
  return `data of type ${source.media_type}${name ? ` named ${JSON.stringify(name)}` : ""}`;
}

/** The note in place of data that cannot be shown: what it is, and its address if it has one. */
export function noteOfData(block: DataBlock): string {
  const { source } = block;
  return source.type === "url" && !/^data:/i.test(source.url)
    ? `[${describeData(block)} at ${source.url}]`
    : `[${describeData(block)}, which this model cannot be shown]`;
}
