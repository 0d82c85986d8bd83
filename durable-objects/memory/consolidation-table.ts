// The consolidations of a store, by id: the newest ones, of which one at most goes on.
import { KEPT_CONSOLIDATIONS } from "../../protocol/memory/limits.ts";
import { blanked } from "./memory-schema.ts";
import {
  toConsolidation,
  type ConsolidationRow,
  type StoredConsolidation,
} from "./consolidation-rows.ts";

/** Behind all ids. */
const LAST_ID = "n";

export class ConsolidationTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(id: string): StoredConsolidation | null {
    return this.#one("consolidation_id = ?", id);
  }

  /** The one that a request with this id has begun. */
  readOfRequest(requestId: string): StoredConsolidation | null {
    return this.#one("request_id = ?", requestId);
  }

  /** The one that goes on; null for none. */
  readOpen(): StoredConsolidation | null {
    return this.#one("status IN ('queued', 'running')");
  }

  /** Jobs whose usage D1 does not know yet. */
  untold(): readonly StoredConsolidation[] {
    return this.#all("calls > told_calls LIMIT ?", KEPT_CONSOLIDATIONS);
  }

  /** The newest first. */
  list(limit: number, before: string | undefined): readonly StoredConsolidation[] {
    return this.#all(
      "consolidation_id < ? ORDER BY consolidation_id DESC LIMIT ?",
      before ?? LAST_ID,
      limit,
    );
  }

  /** Jobs that are older than the newest ones go. */
  add(job: StoredConsolidation, requestId: string | null): void {
    this.#put(job, requestId);
    this.#sql.exec(
      `DELETE FROM consolidations WHERE calls = told_calls AND consolidation_id <= (
        SELECT consolidation_id FROM consolidations ORDER BY consolidation_id DESC LIMIT 1 OFFSET ?)`,
      KEPT_CONSOLIDATIONS,
    );
  }

  update(job: StoredConsolidation): void {
    const [row] = this.#sql
      .exec<{ request_id: string | null }>(
        "SELECT request_id FROM consolidations WHERE consolidation_id = ?",
        job.id,
      )
      .toArray();
    if (row) this.#put(job, row.request_id);
  }

  /** A text of the choice that waits to be written may be of a memory that has to go: the batch is asked about again. */
  forgetChoice(): void {
    const job = this.readOpen();
    if (job?.choice) this.update({ ...job, choice: null });
  }

  setTold(id: string, calls: number): void {
    this.#sql.exec(
      "UPDATE consolidations SET told_calls = ? WHERE consolidation_id = ?",
      calls,
      id,
    );
  }

  #put(job: StoredConsolidation, requestId: string | null): void {
    if (job.choice === null) {
      this.#sql.exec(
        `UPDATE consolidations SET choice = ${blanked("choice")} WHERE consolidation_id = ? AND choice IS NOT NULL`,
        job.id,
      );
    }
    const { id, status, request, place, choice, tries, counts, used, calls, told_calls } = job;
    this.#sql.exec(
      "INSERT OR REPLACE INTO consolidations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      requestId,
      status,
      JSON.stringify(request),
      place && JSON.stringify(place),
      choice && JSON.stringify(choice),
      tries,
      JSON.stringify(counts),
      used && JSON.stringify(used),
      calls,
      told_calls,
      job.error && JSON.stringify(job.error),
      job.created_at,
      job.started_at,
      job.ended_at,
    );
  }

  #one(where: string, ...values: readonly string[]): StoredConsolidation | null {
    return this.#all(`${where} LIMIT 1`, ...values)[0] ?? null;
  }

  #all(where: string, ...values: readonly (string | number)[]): readonly StoredConsolidation[] {
    return this.#sql
      .exec<ConsolidationRow>(`SELECT * FROM consolidations WHERE ${where}`, ...values)
      .toArray()
      .map(toConsolidation);
  }
}
