// Outcomes of the last records of a store: a record that is repeated has the outcome that it had.
import type { MemoryOutcome } from "../../agent/memory-store.ts";
import { KEPT_RECORDS } from "../../protocol/memory/limits.ts";

export class RecordTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Outcomes so far of a record whose machine was lost between two of its parts. */
  read(recordId: string): readonly MemoryOutcome[] | null {
    const [row] = this.#sql
      .exec<{ outcomes: string }>("SELECT outcomes FROM records WHERE record_id = ?", recordId)
      .toArray();
    return row ? (JSON.parse(row.outcomes) as readonly MemoryOutcome[]) : null;
  }

  keep(recordId: string, outcomes: readonly MemoryOutcome[]): void {
    const text = JSON.stringify(outcomes);
    this.#sql.exec(
      `INSERT INTO records (record_id, outcomes) VALUES (?, ?)
       ON CONFLICT (record_id) DO UPDATE SET outcomes = excluded.outcomes`,
      recordId,
      text,
    );
    this.#sql.exec(
      "DELETE FROM records WHERE number <= (SELECT max(number) FROM records) - ?",
      KEPT_RECORDS,
    );
  }
}
