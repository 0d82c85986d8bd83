// The Idempotency-Keys of this session's requests: recorded results, and requests under way.
import {
  IDEMPOTENCY_KEPT_MS,
  IDEMPOTENCY_PURGE_MS,
  IDEMPOTENCY_PURGED_ROWS,
} from "../../protocol/requests/limits.ts";
import type { Idempotency } from "../api/session-api.ts";

interface KeyRow extends Record<string, SqlStorageValue> {
  fingerprint: string;
  answer: string;
}

export class IdempotencyTable {
  readonly #sql: SqlStorage;
  /** Fingerprints by key. In memory: an act that was under way in a crash has not happened. */
  readonly #underWay = new Map<string, string>();
  #purgeDueMs = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The request under way with this key, by its fingerprint. */
  underWay(key: string): string | null {
    return this.#underWay.get(key) ?? null;
  }

  begin({ key, fingerprint }: Idempotency): void {
    this.#underWay.set(key, fingerprint);
  }

  end(key: string): void {
    this.#underWay.delete(key);
  }

  find(key: string, nowMs: number): { fingerprint: string; answer: unknown } | null {
    const [row] = this.#sql
      .exec<KeyRow>(
        "SELECT fingerprint, answer FROM idempotency_keys WHERE key = ? AND expires_at > ?",
        key,
        nowMs,
      )
      .toArray();
    return row ? { fingerprint: row.fingerprint, answer: JSON.parse(row.answer) } : null;
  }

  /** Call it in the transaction of the act. @param answer What a replay builds its answer from; no secret. */
  put({ key, fingerprint }: Idempotency, answer: unknown, nowMs: number): void {
    this.#purge(nowMs);
    this.#sql.exec(
      `INSERT OR REPLACE INTO idempotency_keys (key, fingerprint, answer, expires_at)
       VALUES (?, ?, ?, ?)`,
      key,
      fingerprint,
      JSON.stringify(answer),
      nowMs + IDEMPOTENCY_KEPT_MS,
    );
  }

  /**
   * Deletes expired keys from time to time, a bounded number. An unused session keeps its last keys, which does no
   * harm.
   */
  #purge(nowMs: number): void {
    if (nowMs < this.#purgeDueMs) return;
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM idempotency_keys WHERE key IN
         (SELECT key FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)`,
      nowMs,
      IDEMPOTENCY_PURGED_ROWS,
    );
    if (rowsWritten < IDEMPOTENCY_PURGED_ROWS) this.#purgeDueMs = nowMs + IDEMPOTENCY_PURGE_MS;
  }
}
