// Base64 that was stored before it was checked where it comes in: it is put right, and a note takes the place of what
// cannot be read, such as the placeholder "..." of AgentScope's documents. Providers refuse a whole conversation for it.
import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { putRight } from "../../protocol/put-right.ts";
import { dataIn, noteInPlaceOf, replaceData } from "./data-blocks.ts";

/** The blocks that are sent in place of others: each request has all of the conversation's. */
const readable = new WeakMap<DataBlock, DataBlock | TextBlock>();

export function readableMedia(messages: readonly Msg[]): readonly Msg[] {
  const replaced = new Map<DataBlock, DataBlock | TextBlock>();
  for (const block of messages.flatMap(({ content }) => content.flatMap(dataIn))) {
    const sent = readable.get(block) ?? readBlock(block);
    readable.set(block, sent);
    if (sent !== block) replaced.set(block, sent);
  }
  return replaceData(messages, replaced);
}

function readBlock(block: DataBlock): DataBlock | TextBlock {
  const source = putRight(block.source);
  if (source === null) return noteInPlaceOf(block, "whose data cannot be read");
  return source === block.source ? block : { ...block, source };
}
