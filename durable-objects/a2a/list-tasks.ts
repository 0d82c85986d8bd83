// The tasks of a session: replies that clients of A2A have begun. One reply is open at a time, so that the order of the replies
// is that of their statuses.
import type { A2aTask, A2aTaskState } from "../../protocol/a2a/wire.ts";
import { MAX_A2A_COUNTED_TASKS } from "../../protocol/dialects/a2a/limits.ts";
import { isTerminalTask } from "../../protocol/dialects/a2a/task-status.ts";
import { a2aTaskState } from "../../protocol/dialects/a2a/task-state.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Reply, ReplyStatus } from "../../protocol/replies/contract.ts";
import { takePage, type Sized } from "../bytes/take-page.ts";
import { viewReply } from "../replies/reply-view.ts";
import { charactersOf } from "../replies/shown-message.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { taskOf, type A2aTaskQuestion } from "./read-task.ts";

export interface A2aTasksQuestion extends Pick<
  A2aTaskQuestion,
  "history_length" | "include_artifacts"
> {
  readonly limit: number;
  /** The last task of the page before. */
  readonly before?: string;
  readonly state?: A2aTaskState;
  /** Tasks whose status is from this time or later. */
  readonly status_after?: string;
}

export interface A2aTaskPage {
  readonly tasks: readonly A2aTask[];
  /** The last task of the page, when others follow. */
  readonly next: string | null;
  /** The number of tasks that fit the question, on all pages; {@link MAX_A2A_COUNTED_TASKS} are looked at, at most. */
  readonly total: number;
}

interface TaskRow {
  readonly id: string;
  readonly status: ReplyStatus;
  readonly start_cursor: number;
  readonly model_options: string | null;
  /** Null for one that is queued. */
  readonly created_at: string | null;
}

export async function listTasks(
  session: OpenSession,
  question: A2aTasksQuestion,
): Promise<Result<A2aTaskPage>> {
  const { active, log } = session;
  if (active && !active.isRunning) await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const rows = rowsOf(session);
  const fitting = rows.filter((row, index) => fits(session, row, rows[index - 1], question));
  const { before, limit } = question;
  const last = before === undefined ? -1 : rows.findIndex(({ id }) => id === before);
  if (before !== undefined && last === -1) {
    return refuse("validation_failed", "the page token is not one of this list's");
  }
  const later = new Set(rows.slice(last + 1));
  const { data, hasMore } = takePage(
    tasksOf(
      session,
      fitting.filter((row) => later.has(row)),
      question,
    ),
    limit,
  );
  return accept({
    tasks: data,
    next: hasMore ? (data.at(-1)?.id ?? null) : null,
    total: fitting.length,
  });
}

/** The reply that is open, those that are queued, and those that have ended; of each the newest first. */
function rowsOf({ tables, openReply }: OpenSession): readonly TaskRow[] {
  const queued = tables.queue
    .list()
    .filter(({ id }) => tables.queue.read(id)?.a2a !== undefined)
    .map((row) => ({ ...row, created_at: null }));
  const begun = tables.replies
    .before(null, MAX_A2A_COUNTED_TASKS)
    .filter(({ a2a }) => a2a !== null);
  const open = begun.filter(({ id }) => id === openReply?.id);
  return [...open, ...queued.toReversed(), ...begun.filter((row) => !open.includes(row))];
}

/** @param newer The row before it in the list. */
function fits(
  session: OpenSession,
  row: TaskRow,
  newer: TaskRow | undefined,
  { state, status_after: after }: A2aTasksQuestion,
): boolean {
  const isEnded = row.created_at !== null && isTerminalTask(a2aTaskState(row.status, []));
  if (state !== undefined && isEnded && a2aTaskState(row.status, []) !== state) return false;
  // A reply has ended before the next one began.
  if (after !== undefined && isBefore(newer?.created_at ?? null, after)) return false;
  const isKnown = isEnded && (after === undefined || !isBefore(row.created_at, after));
  if (isKnown) return true;
  const { status } = taskOf(session, viewRow(session, row), { history_length: 0 });
  const isLate = after === undefined || !isBefore(status.timestamp ?? null, after);
  return isLate && (state === undefined || status.state === state);
}

/** False for a time that is not known. */
function isBefore(time: string | null, other: string): boolean {
  return time !== null && Date.parse(time) < Date.parse(other);
}

function* tasksOf(
  session: OpenSession,
  rows: readonly TaskRow[],
  { history_length, include_artifacts = false }: A2aTasksQuestion,
): Generator<Sized<A2aTask>, void> {
  for (const row of rows) {
    const item = taskOf(session, viewRow(session, row), { history_length, include_artifacts });
    yield { item, bytes: charactersOf(item) };
  }
}

function viewRow({ active, tables, init }: OpenSession, row: TaskRow): Reply {
  const folded = active?.id === row.id ? active.durable : tables.messages.find(row.id);
  return viewReply(row, init.session_id, folded, tables.calls);
}
