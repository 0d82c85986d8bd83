// Addresses at which clients of A2A are told of their tasks, and notifications that wait: one at a time for each config, in
// order. A notification is only named here; its text is made when it leaves.
import {
  A2A_PUSH_JOB_MS,
  A2A_PUSH_RETRY_MS,
  MAX_A2A_PUSH_JOB_MS,
  MAX_A2A_PUSH_JOBS,
  MAX_A2A_PUSHED_ARTIFACTS,
  MAX_A2A_WAITING_PUSHES,
} from "../../protocol/a2a/limits.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SealedSecret } from "../../storage/secrets/credential-cipher.ts";
import { A2A_PUSH, type Timers } from "./timers.ts";

/** A config as it is stored, with its secrets as they are sealed. */
export type StoredPushConfig = {
  readonly id: string;
  readonly url: string;
  readonly token: SealedSecret | null;
  readonly scheme: string | null;
  readonly credentials: SealedSecret | null;
};

type ConfigRow = StoredPushConfig & { readonly retry_at: number | null };

/** The place of a config. */
export interface PushPlace {
  readonly reply_id: string;
  readonly config_id: string;
}

/** `asked` and `answered`: called agents ask, or do so no more; whether the task waits by that is decided when it is told. */
export type PushedStatus = ReplyStatus | "asked" | "answered";

/** The next thing that a config is told: an artifact, or a status. */
export type WaitingPush = {
  readonly number: number;
  readonly artifact_id: string | null;
  readonly status: PushedStatus | null;
  readonly at: string;
  readonly attempts: number;
};

/** `over`: there is nothing to try again. `gone`: the receiver wants no more. */
type PushOutcome = "delivered" | "failed" | "over" | "gone";

const ENDED: ReadonlySet<PushedStatus> = new Set([
  "completed",
  "interrupted",
  "exceed_max_iters",
  "error",
]);

const CONFIG = "SELECT * FROM a2a_push_configs WHERE reply_id = ? AND id = ?";
const NEXT = `SELECT number, artifact_id, status, at, attempts FROM a2a_pushes
  WHERE reply_id = ? AND config_id = ? AND is_over = 0 ORDER BY number LIMIT 1`;

export class A2aPushTable {
  readonly #sql: SqlStorage;
  readonly #timers: Timers;

  constructor(sql: SqlStorage, timers: Timers) {
    this.#sql = sql;
    this.#timers = timers;
  }

  /** In the order of their ids. */
  configs(replyId: string): readonly StoredPushConfig[] {
    const query = "SELECT * FROM a2a_push_configs WHERE reply_id = ? ORDER BY id";
    return this.#sql.exec<ConfigRow>(query, replyId).toArray();
  }

  config({ reply_id, config_id }: PushPlace): StoredPushConfig | null {
    return this.#sql.exec<ConfigRow>(CONFIG, reply_id, config_id).toArray()[0] ?? null;
  }

  /** In place of one with its id, with what that is still to be told. */
  put(replyId: string, { id, url, token, scheme, credentials }: StoredPushConfig): void {
    this.#sql.exec(
      `INSERT INTO a2a_push_configs (reply_id, id, url, token, scheme, credentials)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (reply_id, id) DO UPDATE SET url = excluded.url,
       token = excluded.token, scheme = excluded.scheme, credentials = excluded.credentials`,
      replyId,
      id,
      url,
      token,
      scheme,
      credentials,
    );
  }

  /** Nothing more is told to it. No write where there is none. */
  remove({ reply_id, config_id }: PushPlace): void {
    const query = "DELETE FROM a2a_push_configs WHERE reply_id = ? AND id = ?";
    this.#sql.exec(query, reply_id, config_id);
    const pushes = "DELETE FROM a2a_pushes WHERE reply_id = ? AND config_id = ?";
    this.#sql.exec(pushes, reply_id, config_id);
    this.arm();
  }

  /** Part of the transaction in which the status changes. @param configId One config alone; all when left out. */
  addStatus(replyId: string, status: PushedStatus, configId?: string): void {
    for (const { id } of this.#told(replyId, configId)) {
      if (!ENDED.has(status) && this.#isFull(replyId, id)) continue;
      this.#add({ reply_id: replyId, config_id: id }, { status, artifact_id: null });
    }
  }

  /** Part of the transaction in which these artifacts are finished. Those that were told before are not told again. */
  addArtifacts(replyId: string, ids: readonly string[], configId?: string): void {
    for (const { id } of ids.length === 0 ? [] : this.#told(replyId, configId)) {
      const place = { reply_id: replyId, config_id: id };
      const known = this.#artifacts(place);
      const fresh = ids.filter((one) => !known.has(one));
      for (const artifact_id of fresh.slice(0, MAX_A2A_PUSHED_ARTIFACTS - known.size)) {
        if (!this.#isFull(replyId, id)) this.#add(place, { status: null, artifact_id });
      }
    }
  }

  /** Null when nothing is to be told now. */
  next(place: PushPlace, nowMs: number): WaitingPush | null {
    const { reply_id, config_id } = place;
    const [row] = this.#sql.exec<ConfigRow>(CONFIG, reply_id, config_id).toArray();
    if (!row || (row.retry_at !== null && row.retry_at > nowMs)) return null;
    return this.#next(place);
  }

  /** Counts an attempt. Until its end is told, a job is sent again after the time that an attempt has at most. */
  begin(place: PushPlace, { number }: WaitingPush, nowMs: number): void {
    const query =
      "UPDATE a2a_pushes SET attempts = attempts + 1 WHERE reply_id = ? AND config_id = ? AND number = ?";
    this.#sql.exec(query, place.reply_id, place.config_id, number);
    this.#plan(place, { due_at: nowMs + A2A_PUSH_JOB_MS, retry_at: null, jobs: 0 });
  }

  /**
   * The end of an attempt, unless another one has begun since. After the last one all that waits is given up.
   * @param retryAfterMs The receiver's own wish. @returns whether the next thing can be told at once.
   */
  end(
    place: PushPlace,
    attempt: { readonly number: number; readonly attempts: number },
    { outcome, retryAfterMs = 0, nowMs }: PushEnd,
  ): boolean {
    if (outcome === "gone") this.remove(place);
    const current = this.#next(place);
    if (current?.number !== attempt.number || current.attempts !== attempt.attempts) return false;
    if (outcome === "failed") {
      const delayMs = A2A_PUSH_RETRY_MS[attempt.attempts - 1];
      if (delayMs === undefined) return this.giveUp(place);
      const retryMs = nowMs + Math.max(delayMs, Math.min(retryAfterMs, MAX_A2A_PUSH_JOB_MS));
      this.#plan(place, { due_at: retryMs, retry_at: retryMs, jobs: 0 });
      return false;
    }
    this.#settle(place, current);
    const hasMore = this.#next(place) !== null;
    this.#plan(place, {
      due_at: hasMore ? nowMs + A2A_PUSH_JOB_MS : null,
      retry_at: null,
      jobs: 0,
    });
    return hasMore;
  }

  /** Gives up all that waits for this config. */
  giveUp(place: PushPlace): false {
    const { reply_id, config_id } = place;
    this.#sql.exec(
      "DELETE FROM a2a_pushes WHERE reply_id = ? AND config_id = ? AND is_over = 0 AND artifact_id IS NULL",
      reply_id,
      config_id,
    );
    this.#sql.exec(
      "UPDATE a2a_pushes SET is_over = 1 WHERE reply_id = ? AND config_id = ? AND is_over = 0",
      reply_id,
      config_id,
    );
    this.#plan(place, { due_at: null, retry_at: null, jobs: 0 });
    return false;
  }

  /** Configs whose job is due, with what they are told next. */
  due(nowMs: number): readonly (PushPlace & { readonly push: WaitingPush | null })[] {
    return this.#sql
      .exec<{ reply_id: string; config_id: string }>(
        `SELECT reply_id, id AS config_id FROM a2a_push_configs
         WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
        nowMs,
        MAX_A2A_PUSH_JOBS,
      )
      .toArray()
      .map((place) => ({ ...place, push: this.#next(place) }));
  }

  /** A job is about to be sent: the next one comes if that has no effect. */
  noteJob(place: PushPlace, nowMs: number): void {
    this.#sql.exec(
      `UPDATE a2a_push_configs SET jobs = jobs + 1, due_at = ?1 + min(?2 << min(jobs, 10), ?3)
       WHERE reply_id = ?4 AND id = ?5`,
      nowMs,
      A2A_PUSH_JOB_MS,
      MAX_A2A_PUSH_JOB_MS,
      place.reply_id,
      place.config_id,
    );
  }

  /** Sets the timer to the next job, or clears it. */
  arm(): void {
    const query =
      "SELECT due_at FROM a2a_push_configs WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1";
    const [next] = this.#sql.exec<{ due_at: number }>(query).toArray();
    if (next) this.#timers.set(A2A_PUSH, next.due_at);
    else this.#timers.clear(A2A_PUSH);
  }

  #told(replyId: string, configId: string | undefined): readonly StoredPushConfig[] {
    if (configId === undefined) return this.configs(replyId);
    return this.configs(replyId).filter(({ id }) => id === configId);
  }

  #artifacts({ reply_id, config_id }: PushPlace): ReadonlySet<string> {
    const query =
      "SELECT artifact_id AS id FROM a2a_pushes WHERE reply_id = ? AND config_id = ? AND artifact_id IS NOT NULL";
    const rows = this.#sql.exec<{ id: string }>(query, reply_id, config_id).toArray();
    return new Set(rows.map(({ id }) => id));
  }

  #isFull(replyId: string, configId: string): boolean {
    const query =
      "SELECT number FROM a2a_pushes WHERE reply_id = ? AND config_id = ? AND is_over = 0 LIMIT ?";
    const rows = this.#sql.exec(query, replyId, configId, MAX_A2A_WAITING_PUSHES).toArray();
    return rows.length >= MAX_A2A_WAITING_PUSHES;
  }

  /** A config that waits for an attempt, or for a retry, keeps its time. */
  #add(
    { reply_id, config_id }: PushPlace,
    { status, artifact_id }: Pick<WaitingPush, "status" | "artifact_id">,
  ): void {
    const nowMs = Date.now();
    this.#sql.exec(
      `UPDATE a2a_push_configs SET pushes = pushes + 1, due_at = coalesce(due_at, ?)
       WHERE reply_id = ? AND id = ?`,
      nowMs,
      reply_id,
      config_id,
    );
    this.#sql.exec(
      `INSERT INTO a2a_pushes (reply_id, config_id, number, artifact_id, status, at)
       SELECT reply_id, id, pushes, ?, ?, ? FROM a2a_push_configs WHERE reply_id = ? AND id = ?`,
      artifact_id,
      status,
      new Date(nowMs).toISOString(),
      reply_id,
      config_id,
    );
    this.arm();
  }

  #next({ reply_id, config_id }: PushPlace): WaitingPush | null {
    return this.#sql.exec<WaitingPush>(NEXT, reply_id, config_id).toArray()[0] ?? null;
  }

  #settle({ reply_id, config_id }: PushPlace, { number, artifact_id }: WaitingPush): void {
    const place = "reply_id = ? AND config_id = ? AND number = ?";
    const query =
      artifact_id === null
        ? `DELETE FROM a2a_pushes WHERE ${place}`
        : `UPDATE a2a_pushes SET is_over = 1 WHERE ${place}`;
    this.#sql.exec(query, reply_id, config_id, number);
  }

  #plan({ reply_id, config_id }: PushPlace, { due_at, retry_at, jobs }: PushPlan): void {
    this.#sql.exec(
      "UPDATE a2a_push_configs SET due_at = ?, retry_at = ?, jobs = ? WHERE reply_id = ? AND id = ?",
      due_at,
      retry_at,
      jobs,
      reply_id,
      config_id,
    );
    this.arm();
  }
}

/** The end of an attempt. */
export interface PushEnd {
  readonly outcome: PushOutcome;
  readonly retryAfterMs?: number | undefined;
  readonly nowMs: number;
}

interface PushPlan {
  readonly due_at: number | null;
  readonly retry_at: number | null;
  readonly jobs: number;
}
