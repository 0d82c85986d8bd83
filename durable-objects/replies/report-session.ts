import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { Outbox } from "./outbox.ts";

interface ReportedSession {
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly outbox: Outbox;
  readonly openReply: ActiveReply | null;
  readonly isActing: boolean;
}

/** Delivers the outbox to D1, and clears the watchdog when nothing is left to watch. */
export async function reportSession(session: ReportedSession): Promise<void> {
  const { outbox, log, tables } = session;
  await outbox.flush();
  // Checked with no await before the timer is cleared: another reply may have ended during the delivery.
  // A reply without an execution is woken by the timers of its tasks.
  const isWatched = session.isActing && !session.openReply?.isAwaitingTasks;
  if (log.isClosed || isWatched || !outbox.isEmpty) return;
  // A lost connection is noticed by the next check.
  if (session.openReply?.isHeld) return;
  // An interrupted reply of the queue still has to begin in order to end; behind an open reply it waits for that one.
  const isQueueOver = session.openReply !== null || tables.queue.first() === null;
  if (isQueueOver) tables.timers.clear(WATCHDOG);
}
