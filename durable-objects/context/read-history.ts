import { HISTORY_SLICE_BYTES, MAX_HISTORY_BYTES } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";
import type { UnreadMessage } from "../tables/stored-message.ts";

/** The messages that may be read. */
export interface HistoryRange {
  /** The position below which the messages are. */
  readonly below: number;
  /** The position of the first one; of all when left out. */
  readonly from?: number;
  /** Nothing older is read once those that were read are enough. Asked for each message, newest first. */
  readonly isEnough?: (message: Msg) => boolean;
}

export interface History {
  /** Oldest first. */
  readonly messages: readonly Msg[];
  readonly bytes: number;
  /** The position of the newest message in the range that was not read; null when all were. */
  readonly unreadUpTo: number | null;
}

/**
 * The model's context: the newest messages of a range that fit. A long conversation is read in slices with a pause after
 * each, so that the reply's stream can be opened meanwhile. A message larger than a slice is read in time slices.
 */
export async function readHistory(
  table: Pick<MessageTable, "unread">,
  { below: position, from = 0, isEnough = () => false }: HistoryRange,
): Promise<History> {
  const messages: Msg[] = [];
  let bytes = 0;
  let below = position;
  let isFull = false;
  for (;;) {
    const next = readSlice();
    if (typeof next === "number" || next === null) {
      return { messages: messages.reverse(), bytes, unreadUpTo: next };
    }
    if (next === "pause") await scheduler.wait(0);
    else take(next, (await next.readInSlices())?.message);
  }

  /** @returns What has to be read, or waited for, before the next one; at the end what {@link History} has of it. */
  function readSlice(): UnreadMessage | "pause" | number | null {
    let sliceBytes = 0;
    for (const unread of table.unread(below, from)) {
      if (isFull || (bytes + unread.bytes > MAX_HISTORY_BYTES && messages.length > 0)) {
        return unread.position;
      }
      if (unread.bytes > HISTORY_SLICE_BYTES) return unread;
      take(unread, unread.read()?.message);
      sliceBytes += unread.bytes;
      if (sliceBytes >= HISTORY_SLICE_BYTES) return "pause";
    }
    return null;
  }

  function take(unread: UnreadMessage, message: Msg | undefined): void {
    below = unread.position;
    if (!message) return;
    bytes += unread.bytes;
    messages.push(message);
    isFull = isEnough(message);
  }
}
