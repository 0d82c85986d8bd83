// The rows of the session's replies: status, epoch of the execution, and the counters of recovery.
import type { ModelTries } from "../../agent/model-turn/model-tries.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { ReplyStart } from "../api/session-api.ts";

export interface ReplyRow extends Record<string, SqlStorageValue> {
  id: string;
  epoch: number;
  status: ReplyStatus;
  start_cursor: number;
  end_seq: number | null;
  agent_version: number;
  model_name: string;
  created_at: string;
  /** Number of attempts to restore it after a crash that have crashed the object again. */
  begun: number;
  /** As JSON; a copy of what `REPLY_START` says. */
  model_options: string | null;
  /** As JSON the names of the client of A2A whose task it is; null for all others. */
  a2a: string | null;
}

/** The counters and times of a reply that recovery needs beside its log. */
export interface ReplyJournal extends Record<string, SqlStorageValue> {
  attempts: number;
  attempts_without_progress: number;
  steps_at_recovery: number;
  not_before: number | null;
  run_ms: number;
  running_since: number | null;
  failed_tries: number;
  tries_place: number;
  retry_at: number | null;
}

export interface ReplyRecovered extends Pick<
  ReplyJournal,
  "attempts" | "attempts_without_progress" | "steps_at_recovery" | "run_ms"
> {
  readonly epoch: number;
  /** Unix time in milliseconds. */
  readonly not_before: number;
}

export interface ReplyInsert extends Pick<ReplyStart, "model_options" | "trace" | "share" | "a2a"> {
  readonly id: string;
  readonly start_cursor: number;
  readonly agent_version: number;
  readonly model_name: string;
  readonly created_at: string;
}

const COLUMNS =
  "id, epoch, status, start_cursor, end_seq, agent_version, model_name, created_at, begun, model_options, a2a";

/** One statement for all that is read of one reply: an object keeps each statement that it has prepared. */
export const REPLY_BY_ID = "SELECT * FROM replies WHERE id = ?";

const KNOWN_STATUSES: ReadonlySet<string> = new Set<ReplyStatus>([
  "running",
  "awaiting_permission",
  "awaiting_external_result",
  "completed",
  "interrupted",
  "exceed_max_iters",
  "error",
]);

const OPEN_STATUSES: ReadonlySet<ReplyStatus> = new Set([
  "running",
  "awaiting_permission",
  "awaiting_external_result",
]);

/** False for a status that a newer version has written. */
export function isKnownStatus(status: string): boolean {
  return KNOWN_STATUSES.has(status);
}

export class ReplyTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  insert(reply: ReplyInsert): void {
    this.#sql.exec(
      `INSERT INTO replies
         (id, epoch, status, start_cursor, agent_version, model_name, created_at, running_since, trace,
          model_options, share, a2a, is_late)
       VALUES (?1, 1, 'running', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
         (SELECT 1 FROM replies WHERE id > ?1 LIMIT 1))`,
      reply.id,
      reply.start_cursor,
      reply.agent_version,
      reply.model_name,
      reply.created_at,
      Date.parse(reply.created_at),
      toTraceColumn(reply.trace),
      reply.model_options ? JSON.stringify(reply.model_options) : null,
      reply.share ? JSON.stringify(reply.share) : null,
      reply.a2a ? JSON.stringify(reply.a2a) : null,
    );
  }

  /** The share of the end user who asked for it; undefined for a reply that no share binds. */
  share(id: string): EndUserShareChange | undefined {
    const { share } = this.#sql.exec<{ share: string | null }>(REPLY_BY_ID, id).one();
    return share === null ? undefined : (JSON.parse(share) as EndUserShareChange);
  }

  journal(id: string): ReplyJournal {
    return this.#sql.exec<ReplyJournal>(REPLY_BY_ID, id).one();
  }

  /** The trace of the request that started it, or of the answer that continued it. */
  trace(id: string): TraceContext | undefined {
    const { trace } = this.#sql.exec<{ trace: string | null }>(REPLY_BY_ID, id).one();
    return trace === null ? undefined : parseTrace(trace);
  }

  /** Counts an attempt to restore it. A crash during the attempt is counted once this is on disk. */
  beginWake(id: string): void {
    this.#sql.exec("UPDATE replies SET begun = begun + 1 WHERE id = ?", id);
  }

  /** The attempt has succeeded: resets the count. */
  endWake(id: string): void {
    this.#sql.exec("UPDATE replies SET begun = 0 WHERE id = ?", id);
  }

  /** The reply was recovered: its next execution begins at `not_before`; the time until then is not counted. */
  recovered(id: string, recovered: ReplyRecovered): void {
    this.#sql.exec(
      `UPDATE replies SET epoch = ?, attempts = ?, attempts_without_progress = ?,
       steps_at_recovery = ?, run_ms = ?, not_before = ?, running_since = NULL, begun = 0
       WHERE id = ?`,
      recovered.epoch,
      recovered.attempts,
      recovered.attempts_without_progress,
      recovered.steps_at_recovery,
      recovered.run_ms,
      recovered.not_before,
      id,
    );
  }

  /** @param notBefore Unix time in milliseconds. */
  setNotBefore(id: string, notBefore: number): void {
    this.#sql.exec("UPDATE replies SET not_before = ? WHERE id = ?", notBefore, id);
  }

  /** The reply's execution has ended, and the next one begins at `notBefore`; the time until then is not counted. */
  wait(id: string, notBefore: number, nowMs: number): void {
    this.#sql.exec(
      `UPDATE replies SET not_before = ?, running_since = NULL,
       run_ms = run_ms + coalesce(max(? - running_since, 0), 0) WHERE id = ?`,
      notBefore,
      nowMs,
      id,
    );
  }

  /** The reply waits for tasks, and has no execution: the time until the next one is not counted. */
  endExecution(id: string, nowMs: number): void {
    this.#sql.exec(
      `UPDATE replies SET running_since = NULL,
       run_ms = run_ms + coalesce(max(? - running_since, 0), 0) WHERE id = ?`,
      nowMs,
      id,
    );
  }

  /** The reply has waited for tasks, and gets an execution. */
  resumeExecution(id: string, nowMs: number): void {
    const query = "UPDATE replies SET running_since = ? WHERE id = ? AND running_since IS NULL";
    this.#sql.exec(query, nowMs, id);
  }

  /** A recovered reply has an execution: a loss from here on is counted anew. */
  beginExecution(id: string, nowMs: number): void {
    this.#sql.exec(
      `UPDATE replies SET not_before = NULL, running_since = ?
       WHERE id = ? AND not_before IS NOT NULL`,
      nowMs,
      id,
    );
  }

  /** @param retryAt Unix time in milliseconds. */
  setTries(id: string, { failed, place }: ModelTries, retryAt: number): void {
    this.#sql.exec(
      "UPDATE replies SET failed_tries = ?, tries_place = ?, retry_at = ? WHERE id = ?",
      failed,
      place,
      retryAt,
      id,
    );
  }

  setEpoch(id: string, epoch: number): void {
    this.#sql.exec("UPDATE replies SET epoch = ? WHERE id = ?", epoch, id);
  }

  /** A reply that waited runs again, in a new execution. One that runs already keeps its time and its trace. */
  resume(id: string, epoch: number, trace?: TraceContext): void {
    this.#sql.exec(
      `UPDATE replies SET status = 'running', epoch = ?, end_seq = NULL,
       running_since = CASE status WHEN 'running' THEN running_since ELSE ? END,
       trace = CASE status WHEN 'running' THEN trace ELSE ? END WHERE id = ?`,
      epoch,
      Date.now(),
      toTraceColumn(trace),
      id,
    );
  }

  /**
   * @param endSeq The last seq of the reply, which ends or waits there. @param calls Those that have ended with it, see
   * `DiagnosticsTable.last`.
   */
  setStatus(id: string, status: ReplyStatus, endSeq: number, calls: string | null = null): void {
    this.#sql.exec(
      `UPDATE replies SET status = ?, end_seq = ?, calls = ?, not_before = NULL, running_since = NULL,
       run_ms = run_ms + coalesce(max(? - running_since, 0), 0) WHERE id = ?`,
      status,
      endSeq,
      calls,
      Date.now(),
      id,
    );
  }

  find(id: string): ReplyRow | null {
    return this.#sql.exec<ReplyRow>(REPLY_BY_ID, id).toArray()[0] ?? null;
  }

  /** The reply that runs or waits: one at a time, and the newest unless it was late. */
  open(): ReplyRow | null {
    const newest = this.newest();
    if (!newest || OPEN_STATUSES.has(newest.status)) return newest;
    const query = `SELECT ${COLUMNS} FROM replies WHERE is_late = 1
      AND status IN ('running', 'awaiting_permission', 'awaiting_external_result')`;
    return this.#sql.exec<ReplyRow>(query).toArray()[0] ?? null;
  }

  /** The newest reply if a newer version has written its status, which this one does not know. */
  newestUnknown(): ReplyRow | null {
    const newest = this.newest();
    return newest && !isKnownStatus(newest.status) ? newest : null;
  }

  newest(): ReplyRow | null {
    return this.before(null, 1)[0] ?? null;
  }

  /** Oldest first: ids sort by time. @param id Inclusive; null starts at the oldest. */
  from(id: string | null, limit: number): readonly ReplyRow[] {
    return this.#sql
      .exec<ReplyRow>(
        `SELECT ${COLUMNS} FROM replies WHERE ?1 IS NULL OR id >= ?1 ORDER BY id LIMIT ?2`,
        id,
        limit,
      )
      .toArray();
  }

  /** Newest first: ids sort by time. @param id Exclusive; null starts at the newest. */
  before(id: string | null, limit: number): readonly ReplyRow[] {
    return this.#sql
      .exec<ReplyRow>(
        `SELECT ${COLUMNS} FROM replies WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2`,
        id,
        limit,
      )
      .toArray();
  }
}

/** Undefined for a trace that cannot be read: the reply then runs without one. */
function parseTrace(text: string): TraceContext | undefined {
  try {
    return JSON.parse(text) as TraceContext;
  } catch {
    return undefined;
  }
}

function toTraceColumn(trace: TraceContext | undefined): string | null {
  return trace ? JSON.stringify(trace) : null;
}
