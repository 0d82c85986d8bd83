import { type AgUiMessage, toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** Bytes of stored messages that are read at once; a batch ends with the message that exceeds them. */
const BATCH_BYTES = 262_144;

interface StoredRange {
  readonly after: number;
  readonly upTo: number;
  /** The message as the reader's profile writes it. */
  readonly shown: (message: AgUiMessage) => AgUiMessage;
}

/**
 * Stored messages above a position and up to another one, in AG-UI's form, oldest first, read lazily. They belong to
 * replies that have ended, and do not change.
 */
export function* storedMessages(
  messages: MessageTable,
  { after, upTo, shown }: StoredRange,
): Generator<AgUiMessage, void> {
  for (let position = after; position < upTo;) {
    const batch = readBatch(messages, position, upTo);
    for (const message of batch.messages) yield shown(message);
    position = batch.last;
  }
}

/** Reads a batch synchronously: a SQL cursor must not stay open while others write. */
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
