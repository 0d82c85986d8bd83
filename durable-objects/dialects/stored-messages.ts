import { type AgUiMessage, toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** Bytes of stored messages that are in memory at once; one message more than that in any case. */
const BATCH_BYTES = 262_144;

/**
 * Stored messages above a position and up to another one, in AG-UI's form, oldest first. They are read as they are
 * taken; they belong to replies that have ended, and do not change.
 */
export function* storedMessages(
  messages: MessageTable,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Generator<AgUiMessage, void> {
  for (let position = after; position < upTo;) {
    const batch = readBatch(messages, position, upTo);
    yield* batch.messages;
    position = batch.last;
  }
}

/** Read in one go: a query must not stay half read while others write. */
function readBatch(messages: MessageTable, after: number, upTo: number) {
  const read: AgUiMessage[] = [];
  let size = 0;
  for (const { item, bytes } of messages.between(after, upTo)) {
    read.push(...toAgUiMessages(item.message));
    size += bytes;
    if (size >= BATCH_BYTES) return { messages: read, last: item.position };
  }
  return { messages: read, last: upTo };
}
