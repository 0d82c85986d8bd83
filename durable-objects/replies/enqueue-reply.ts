import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { ReplyStart } from "../api/session-api.ts";
import type { KnownMessages } from "../tables/known-messages.ts";
import type { RecordResult } from "../tables/once.ts";
import type { QueuedStart } from "../tables/reply-queue-table.ts";
import { WATCHDOG } from "../tables/timers.ts";
import { refuseQueueFull } from "./refuse-busy.ts";
import { runningRow, viewReply } from "./reply-view.ts";
import type { StartTarget } from "./start-reply.ts";

export interface EnqueueTarget extends StartTarget {
  /** A new id, greater than every earlier one of the session. */
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** Resolves when what was written before is on disk. */
  readonly sync: () => Promise<void>;
  /** Runs `write` in one transaction. */
  readonly transaction: <Value>(write: () => Value) => Value;
}

/** Stores a reply that begins later. @param recordResult Part of the transaction; gets its id. */
export async function enqueueReply(
  session: EnqueueTarget,
  { fresh, unclaimed }: KnownMessages,
  { structured_schema, model_options, trace, share, woken_by, a2a_depth, a2a }: ReplyStart,
  recordResult: RecordResult<string>,
): Promise<Result<Reply>> {
  const { log, tables, settings, newId, transaction, sync } = session;
  const kept = { structured_schema, model_options, trace, share, woken_by, a2a_depth, a2a };
  const queued: QueuedStart = { messages: fresh, unclaimed, ...kept };
  if (!tables.queue.hasRoomFor(queued)) return refuseQueueFull(tables.queue.length);
  const id = newId("rep");
  const cursor = log.visibleSeq;
  transaction(() => {
    tables.queue.add(id, queued, cursor);
    // If the object crashes while no reply is open, the alarm wakes it.
    tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
    recordResult(id);
  });
  await sync();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const row = runningRow(id, cursor, model_options);
  return accept(viewReply(row, settings.init.session_id, null, tables.calls));
}
