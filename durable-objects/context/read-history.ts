import { HISTORY_SLICE_BYTES, MAX_HISTORY_BYTES } from "../../protocol/limits/replies.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { MessageTable } from "../tables/message-table.ts";
import type { UnreadMessage } from "../tables/stored-message.ts";

export interface History {
  /** Oldest first. */
  readonly messages: readonly Msg[];
  readonly bytes: number;
}

/**
 * The model's context: the newest messages below a position that fit. A long conversation is read in slices with a
 * pause after each, so that the reply's stream can be opened meanwhile. A message larger than a slice is read in time
 * slices.
 */
export async function readHistory(
  table: Pick<MessageTable, "unread">,
  position: number,
): Promise<History> {
  const messages: Msg[] = [];
  let bytes = 0;
  let below = position;
  for (;;) {
    const next = readSlice();
    if (next === "end") return { messages: messages.reverse(), bytes };
    // oxlint-disable no-await-in-loop
    if (next === "pause") await scheduler.wait(0);
    else take(next, (await next.readInSlices())?.message);
    // oxlint-enable no-await-in-loop
  }

  /** @returns What has to be read, or waited for, before the next one. */
  function readSlice(): UnreadMessage | "pause" | "end" {
    let sliceBytes = 0;
    for (const unread of table.unread(below)) {
      if (bytes + unread.bytes > MAX_HISTORY_BYTES && messages.length > 0) return "end";
      if (unread.bytes > HISTORY_SLICE_BYTES) return unread;
      take(unread, unread.read()?.message);
      sliceBytes += unread.bytes;
      if (sliceBytes >= HISTORY_SLICE_BYTES) return "pause";
    }
    return "end";
  }

  function take(unread: UnreadMessage, message: Msg | undefined): void {
    below = unread.position;
    if (!message) return;
    bytes += unread.bytes;
    messages.push(message);
  }
}
