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
  /** Names the next page, where one may follow: the last task of this one, or the last one that was looked at for it. */
  readonly next: string | null;
  /** The number of tasks that fit the question, on all pages, of the newest {@link MAX_A2A_COUNTED_TASKS}. */
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
  const { before, limit } = question;
  const last = before === undefined ? undefined : findRow(session, before);
  if (last === null) {
    return refuse("validation_failed", "the page token is not one of this list's");
  }
  const looked = { last: null as string | null };
  const fitting = fittingRows(session, question, { last, looked });
  const { data, hasMore } = takePage(tasksOf(session, fitting, question), limit);
  let total = 0;
  for (const _ of fittingRows(session, question, {})) total += 1;
  return accept({ tasks: data, next: hasMore ? (data.at(-1)?.id ?? null) : looked.last, total });
}

interface Place {
  /** The row before the first one that is looked at. */
  readonly last?: TaskRow | undefined;
  /** Gets the last row that was looked at, where others may follow. */
  readonly looked?: { last: string | null };
}

/** Rows that fit the question, of {@link MAX_A2A_COUNTED_TASKS} that are looked at. */
function* fittingRows(
  session: OpenSession,
  question: A2aTasksQuestion,
  { last, looked }: Place,
): Generator<TaskRow, void> {
  let count = 0;
  let newer = last;
  for (const row of rowsBehind(session, last)) {
    if (count === MAX_A2A_COUNTED_TASKS) {
      if (looked) looked.last = newer?.id ?? null;
      return;
    }
    count += 1;
    if (fits(session, row, newer, question)) yield row;
    newer = row;
  }
}

/** Null for a reply that is no task of the session. */
function findRow({ tables }: OpenSession, id: string): TaskRow | null {
  const row = tables.replies.find(id);
  if (row) return row.a2a === null ? null : row;
  return queuedRows(tables).find((queued) => queued.id === id) ?? null;
}

/** The reply that is open, those that are queued, and those that have ended; of each the newest first. */
function* rowsBehind(
  { tables, openReply }: OpenSession,
  last: TaskRow | undefined,
): Generator<TaskRow, void> {
  const openId = openReply?.id;
  const open = openId === undefined ? null : tables.replies.find(openId);
  const isFirst = last === undefined;
  if (isFirst && open?.a2a != null) yield open;
  const queued = queuedRows(tables);
  const place = queued.findIndex(({ id }) => id === last?.id);
  if (isFirst || place !== -1 || last.id === openId) yield* queued.slice(place + 1);
  const hasBegun = !isFirst && place === -1 && last.id !== openId;
  for (let from = hasBegun ? last.id : null; ;) {
    const rows = tables.replies.before(from, ROWS_AT_ONCE);
    yield* rows.filter(({ id, a2a }) => a2a !== null && id !== openId);
    const oldest = rows.at(-1);
    if (!oldest || rows.length < ROWS_AT_ONCE) return;
    from = oldest.id;
  }
}

function queuedRows({ queue }: OpenSession["tables"]): readonly TaskRow[] {
  return queue
    .list()
    .filter(({ id }) => queue.read(id)?.a2a !== undefined)
    .map((row) => ({ ...row, created_at: null }))
    .toReversed();
}

/** Rows of replies that are read in one query. */
const ROWS_AT_ONCE = 200;

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
  rows: Iterable<TaskRow>,
  { history_length, include_artifacts = false }: A2aTasksQuestion,
): Generator<Sized<A2aTask>, void> {
  for (const row of rows) {
    const item = taskOf(session, viewRow(session, row), { history_length, include_artifacts });
    yield { item, bytes: charactersOf(item) };
  }
}

function viewRow({ active, tables, init }: OpenSession, row: TaskRow): Reply {
  const folded = active?.id === row.id ? active.durable : tables.messages.ofReply(row.id);
  return viewReply(row, init.session_id, folded, tables.calls);
}
