// The work of the timer `condense`: the log of replies that ended before the agent's `log_retention` is stored with one
// event for deltas that follow each other. Each step is a transaction, and finds by itself what earlier ones have done.
import { CONDENSING_RETRY_MS } from "../../protocol/events/limits.ts";
import { MAX_CRASHES_WHILE_WAKING } from "../../protocol/replies/limits.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { DueTimer } from "../tables/timers.ts";

type Session = Pick<
  OpenSession,
  "tables" | "log" | "transaction" | "init" | "isActing" | "openReply"
>;

/**
 * Sets the timers anew at once. Nothing is done while a reply runs: its end does not wait for this. Contract: the promise
 * never rejects; what fails is tried again, and given up when it has failed or crashed the object each time.
 */
export function condenseDueReplies(session: Session): Promise<void> {
  const { timers } = session.tables;
  const nowMs = Date.now();
  const due = timers.due(nowMs).filter(({ kind }) => kind === "condense");
  timers.putOffAll("condense", nowMs, nowMs + CONDENSING_RETRY_MS);
  return condenseReplies(session, due);
}

async function condenseReplies(session: Session, due: readonly DueTimer[]): Promise<void> {
  for (const timer of due) {
    if (isReplyRunning(session)) return;
    if (!(await condenseReply(session, timer))) return;
  }
}

/** @returns Whether the next one may begin. */
async function condenseReply(session: Session, timer: DueTimer): Promise<boolean> {
  const { tables, log, transaction, init } = session;
  try {
    if (timer.begun >= MAX_CRASHES_WHILE_WAKING) {
      console.error("the log of a reply cannot be condensed, and stays as it is", {
        session_id: init.session_id,
        reply_id: timer.id,
      });
      tables.timers.clear(timer);
      return true;
    }
    tables.timers.setBegun(timer, timer.begun + 1);
    const reply = tables.replies.find(timer.id);
    const upTo = reply?.end_seq ?? 0;
    for (let next: number | null = reply?.start_cursor ?? 0; next !== null;) {
      await timeSlice();
      if (log.isClosed || log.hasFailed) return false;
      if (isReplyRunning(session)) {
        tables.timers.setBegun(timer, timer.begun);
        return false;
      }
      const after: number = next;
      next = transaction(() => {
        const rest = tables.condense(after, upTo);
        if (rest === null) tables.timers.clear(timer);
        return rest;
      });
      log.forgetRecent();
    }
    return true;
  } catch (error) {
    console.error("the log of a reply could not be condensed; will retry", {
      session_id: init.session_id,
      error: String(error),
    });
    return !log.isClosed;
  }
}

/** One that waits, for an answer or for a task, needs nothing of this machine. */
function isReplyRunning({ isActing, openReply }: Session): boolean {
  return isActing && !openReply?.isAwaitingTasks;
}
