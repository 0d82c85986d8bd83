import { HISTORY_SLICE_BYTES, MAX_HISTORY_BYTES } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import type { MessageTable } from "./message-table.ts";

/**
 * What a model is told of the conversation below a position, oldest first: the newest messages that fit. A long one is
 * read in slices, and others are heard in between: whoever opens the reply's stream has nothing to wait for here.
 */
export async function readHistory(
  table: Pick<MessageTable, "before">,
  position: number,
): Promise<readonly Msg[]> {
  const messages: Msg[] = [];
  let totalBytes = 0;
  let below = position;
  for (let isWhole = false; !isWhole;) {
    isWhole = true;
    let sliceBytes = 0;
    for (const { item, bytes } of table.before(below)) {
      totalBytes += bytes;
      if (totalBytes > MAX_HISTORY_BYTES && messages.length > 0) break;
      messages.push(item.message);
      below = item.position;
      sliceBytes += bytes;
      isWhole = sliceBytes < HISTORY_SLICE_BYTES;
      if (!isWhole) break;
    }
    if (!isWhole) await scheduler.wait(0);
  }
  return messages.reverse();
}
