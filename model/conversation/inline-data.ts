// Bytes that are in a conversation itself.
import type { DataBlock } from "../../protocol/messages/blocks.ts";

export interface InlineData {
  /** In lower case. */
  readonly media_type: string;
  /** Base64. */
  readonly data: string;
}

const DATA_URL = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i;

/** The bytes of a data block, also of one whose address is a `data:` URL; null when they are elsewhere. */
export function inlineData({ source }: DataBlock): InlineData | null {
  if (source.type === "base64") {
    return { media_type: source.media_type.toLowerCase(), data: source.data };
  }
  const head = DATA_URL.exec(source.url);
  if (!head?.[1]) return null;
  return { media_type: head[1].toLowerCase(), data: source.url.slice(head[0].length) };
}
