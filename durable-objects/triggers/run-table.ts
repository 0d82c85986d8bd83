// The runs of a trigger. A run is written before anything is done for it, and each is one row for its occasion.
import type { TriggerRunStatus } from "../../protocol/triggers/contract.ts";
import { toRow, toRun, type Run, type RunRow } from "./run-rows.ts";

const COLUMNS = [
  "id",
  "occasion",
  "context",
  "status",
  "phase",
  "skip_reason",
  "error",
  "slot",
  "session_id",
  "reply_id",
  "subject",
  "end_user_id",
  "created_at",
  "started_at",
  "ended_at",
  "due_at",
  "tries",
  "refused_at",
] as const satisfies readonly (keyof Run)[];

const PUT = `INSERT OR REPLACE INTO runs (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

/** Behind all ids. */
const LAST_ID = "u";

export class RunTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(id: string): Run | null {
    return this.#all("id = ?", id)[0] ?? null;
  }

  readOf(occasion: string): Run | null {
    return this.#all("occasion = ?", occasion)[0] ?? null;
  }

  /** Within a transaction. */
  put(run: Run): void {
    const row = toRow(run);
    this.#sql.exec(PUT, ...COLUMNS.map((name) => row[name]));
  }

  /** The newest first. */
  list(
    limit: number,
    before: string | undefined,
    status: TriggerRunStatus | undefined,
  ): readonly Run[] {
    const place = before ?? LAST_ID;
    return status === undefined
      ? this.#all("id < ? ORDER BY id DESC LIMIT ?", place, limit)
      : this.#all("status = ? AND id < ? ORDER BY id DESC LIMIT ?", status, place, limit);
  }

  get newestId(): string | null {
    const query = "SELECT max(id) AS id FROM runs";
    return this.#sql.exec<{ id: string | null }>(query).one().id;
  }

  /** When the first run is to be looked at; null when all are over. */
  nextDue(): number | null {
    const query = "SELECT min(due_at) AS due_at FROM runs WHERE due_at IS NOT NULL";
    return this.#sql.exec<{ due_at: number | null }>(query).one().due_at;
  }

  /** The longest due first. */
  due(nowMs: number, most: number): readonly Run[] {
    return this.#all("due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?", nowMs, most);
  }

  /** Puts off all that are due. Within a transaction. */
  putOffDue(nowMs: number, dueMs: number): void {
    this.#sql.exec("UPDATE runs SET due_at = ? WHERE due_at <= ?", dueMs, nowMs);
  }

  get openCount(): number {
    const query = "SELECT count(*) AS count FROM runs WHERE due_at IS NOT NULL";
    return this.#sql.exec<{ count: number }>(query).one().count;
  }

  /** Open runs of a slot, the oldest first. */
  openOf(slot: string, most: number): readonly Run[] {
    return this.#all("due_at IS NOT NULL AND slot = ? ORDER BY id LIMIT ?", slot, most);
  }

  /** Open runs whose session is this one. */
  openIn(sessionId: string): readonly Run[] {
    return this.#all("due_at IS NOT NULL AND session_id = ?", sessionId);
  }

  ofEndUser(endUserId: string): readonly Run[] {
    return this.#all("end_user_id = ?", endUserId);
  }

  /** Deletes runs that are over: those of before, and those of more than are kept. Within a transaction. @returns how many. */
  purge({
    before,
    kept,
    most,
  }: {
    readonly before: string;
    readonly kept: number;
    readonly most: number;
  }): number {
    const deleted = this.#sql.exec(
      `DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE due_at IS NULL AND (created_at < ?1
         OR id <= coalesce((SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?2), '')) ORDER BY id LIMIT ?3) RETURNING id`,
      before,
      kept,
      most,
    );
    return deleted.toArray().length;
  }

  #all(where: string, ...values: SqlStorageValue[]): readonly Run[] {
    return this.#sql
      .exec<RunRow>(`SELECT ${COLUMNS.join(", ")} FROM runs WHERE ${where}`, ...values)
      .toArray()
      .map(toRun);
  }
}
