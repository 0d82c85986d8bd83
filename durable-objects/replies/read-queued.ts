import { MAX_CRASHES_WHILE_WAKING } from "../../protocol/replies/limits.ts";
import {
  type BegunQueued,
  type QueuedReply,
  type ReplyQueueTable,
  UNREADABLE,
} from "../tables/reply-queue-table.ts";

/** A queued reply that cannot be read, or has crashed the object too often, begins empty and ends with an error. */
export function readQueued(
  queue: Pick<ReplyQueueTable, "read" | "endedBy">,
  { id, begun }: QueuedReply,
): BegunQueued | null {
  if (begun >= MAX_CRASHES_WHILE_WAKING) return UNREADABLE;
  try {
    const start = queue.read(id);
    return start && { ...start, endedBy: queue.endedBy(id) };
  } catch (error) {
    console.error("a queued reply cannot be read", { reply_id: id, error: String(error) });
    return UNREADABLE;
  }
}
