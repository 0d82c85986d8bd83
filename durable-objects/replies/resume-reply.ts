// Resumes the reply that the object's last incarnation left open: folds it from the log, and recovers it if it ran. The
// work itself may have crashed that incarnation. So each try is counted on disk before it begins, and a reply that has cost
// several incarnations, or that cannot be read, is ended with less and less work, until nothing of it is read.
import { heldCallIds } from "../../agent/state/input-record.ts";
import { isAwaitingTasks } from "../../agent/state/is-awaiting-tasks.ts";
import { appendEvent } from "../../protocol/fold/append-event.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import {
  WATCHDOG_INTERVAL_MS,
  MAX_CRASHES_WHILE_WAKING,
  WAKE_SPREAD_MS,
} from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import { isStorageDown } from "../../storage/statements/database-failure.ts";
import { withCancelledQuestions } from "./cancelled-questions.ts";
import { giveUpDrafts, replyEndDraft } from "./give-up-drafts.ts";
import type { CurrentReply } from "./current-reply.ts";
import type { Outbox } from "./outbox.ts";
import { scheduleCondensing } from "../settings/schedule-condensing.ts";
import { notePushes } from "./note-pushes.ts";
import { ReplyLog, type ReplyLogContext } from "./reply-log.ts";
import type { ReplyRunner } from "./reply-runner.ts";
import { isKnownStatus, type ReplyRow } from "../tables/reply-table.ts";
import {
  mendReply,
  restoreReply,
  sketchReply,
  placeholderStart,
  type RestoreSource,
} from "./restore-reply.ts";
import { COMPRESSION, WATCHDOG } from "../tables/timers.ts";

/** The session, as far as a reply that is resumed needs it. */
interface ResumeSession extends RestoreSource {
  readonly outbox: Outbox;
  readonly settings: ReplyLogContext["settings"];
  readonly sync: () => Promise<void>;
  readonly transaction: <Value>(write: () => Value) => Value;
  readonly current: Pick<CurrentReply, "restore">;
  readonly runner: Pick<ReplyRunner, "recover">;
}

type Step = (session: ResumeSession, row: ReplyRow) => void;

/** Tried in this order: a step that fails, or has crashed the object too often, is followed by the next. */
const STEPS: readonly Step[] = [restore, endMended, endSketched, endUnread, markEnded];
const RESTORE = 0;
const MEND = 1;
const SKETCH = 2;

/**
 * Resolves when the reply runs, waits or has ended. Every call of the session waits for that.
 * @param canRestore Whether its settings can be read: without them it can only be ended.
 * @throws when the storage fails, or none of the steps can be done.
 */
export async function resumeReply(
  session: ResumeSession,
  row: ReplyRow,
  canRestore: boolean,
): Promise<void> {
  const { log, tables, transaction, sync } = session;
  // Objects of the same isolate, which crashed with this one, are woken at the same time: a random delay spreads them.
  if (row.begun > 0) await scheduler.wait(Math.random() * WAKE_SPREAD_MS);
  if (log.isClosed) return;
  transaction(() => tables.replies.beginWake(row.id));
  await sync();
  if (log.isClosed) return;
  for (const step of STEPS.slice(firstStep(row, canRestore))) {
    try {
      step(session, row);
      if (tables.replies.find(row.id)?.begun) {
        transaction(() => tables.replies.endWake(row.id));
      }
      break;
    } catch (error) {
      if (log.hasFailed || isStorageDown(error) || step === markEnded) throw error;
      console.error("a reply could not be taken up", {
        reply_id: row.id,
        step: step.name,
        error: String(error),
      });
    }
  }
  await log.settled();
}

function firstStep({ status, begun }: ReplyRow, canRestore: boolean): number {
  if (begun >= MAX_CRASHES_WHILE_WAKING) {
    return Math.min(SKETCH + begun - MAX_CRASHES_WHILE_WAKING, STEPS.length - 1);
  }
  return canRestore && isKnownStatus(status) ? RESTORE : MEND;
}

/** Restores the reply. One that waits waits on; one that ran is recovered. */
function restore(session: ResumeSession, row: ReplyRow): void {
  const reply = restoreReply(session, row);
  session.current.restore(reply);
  // Its last execution had nothing left to do but to end.
  if (isAwaitingTasks(reply.state) && reply.isRunning) return reply.awaitTasks();
  // A connection that stayed open while it waited is lost as well.
  const isLost = reply.isRunning || heldCallIds(reply.state).length > 0;
  if (isLost) session.runner.recover(reply);
}

/** Ends the reply with what can be read of its message. */
function endMended(session: ResumeSession, row: ReplyRow): void {
  const reply = mendReply(session, row);
  reply.fence();
  session.current.restore(reply);
  session.tables.replies.setEpoch(row.id, reply.epoch);
  const log = new ReplyLog(session, reply);
  log.append(giveUpDrafts(log.state, session.init.session_id));
}

/** Ends the reply with its message as last stored; its later text remains in the log alone. */
function endSketched(session: ResumeSession, row: ReplyRow): void {
  const drafts = giveUpDrafts(sketchReply(session, row), session.init.session_id);
  const stored = session.tables.messages.find(row.id)?.message;
  endWith(session, row, drafts, stored ?? emptyMessage(session, row));
}

/** Ends the reply without reading anything of it: its message is empty. */
function endUnread(session: ResumeSession, row: ReplyRow): void {
  endWith(
    session,
    row,
    [replyEndDraft(row.id, session.init.session_id)],
    emptyMessage(session, row),
  );
}

/** Ends the reply in its row alone, without an event: its readers see no end. */
function markEnded({ log, tables, transaction }: ResumeSession, { id }: ReplyRow): void {
  transaction(() => {
    tables.replies.setStatus(id, "error", log.lastSeq);
    tables.calls.children.endReply(id);
  });
}

function emptyMessage(session: ResumeSession, row: ReplyRow): Msg {
  return startMessage(placeholderStart(session, row));
}

/** The commit of a reply's end, for a reply that is not in memory. */
function endWith(
  { log, tables, outbox, settings }: ResumeSession,
  { id, start_cursor, a2a }: ReplyRow,
  drafts: readonly EventDraft[],
  stored: Msg,
): void {
  log.append(withCancelledQuestions(drafts, tables.calls.children), {
    isLast: true,
    write: (events) => {
      const seq = events.at(-1)?.seq ?? log.lastSeq;
      for (const event of events) {
        tables.calls.record(event);
      }
      const end = events.find((event) => event.type === "REPLY_END");
      const status = end?.finished_reason ?? "error";
      tables.replies.setStatus(id, status, seq);
      tables.runs.end(id, seq);
      const message = known(stored, events).reduce(appendEvent, stored);
      tables.messages.put({ position: start_cursor + 1, reply_id: id, message, cursor: seq });
      outbox.add(id, status, seq);
      notePushes(tables, message, { id, status, isTask: a2a !== null });
      if (end) scheduleCondensing(tables.timers, settings.replyInit, end);
      tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
      if (tables.timers.isCompressionSet && tables.compression.requested)
        tables.timers.set(COMPRESSION, Date.now());
    },
  });
}

/** Leaves out the results of calls that the message does not have. */
function known({ content }: Msg, events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const calls = new Set(content.map((block) => (block.type === "tool_call" ? block.id : null)));
  return events.filter((event) => !("tool_call_id" in event) || calls.has(event.tool_call_id));
}
