// The stored state of a compression of the context beside its timer: the request that waits for one, and the failure of
// the last one. One row at most, and none in a session whose context was never large.
import type { CompressionFailure } from "../../protocol/context/compression.ts";

/** A compression that a request waits for: it is made whatever the size of the context is. */
export interface RequestedCompression {
  /** The id that the summary will have. */
  readonly summary_id: string;
  readonly instructions: string | null;
}

interface CompressionRow extends Record<string, SqlStorageValue> {
  summary_id: string | null;
  instructions: string | null;
  failure: string | null;
}

export class CompressionTable {
  readonly #sql: SqlStorage;
  /** Asked at the end of each reply: the table is read once. Undefined before that. */
  #row: CompressionRow | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get requested(): RequestedCompression | null {
    const { summary_id = null, instructions = null } = this.#read() ?? {};
    return summary_id === null ? null : { summary_id, instructions };
  }

  /** The failure of the last compression, if it failed. Null for one that cannot be read. */
  get failure(): CompressionFailure | null {
    const text = this.#read()?.failure ?? null;
    if (text === null) return null;
    try {
      return JSON.parse(text) as CompressionFailure;
    } catch {
      return null;
    }
  }

  /** Part of a transaction. An earlier request that waits keeps its id and gets the newer instructions. */
  request({ summary_id, instructions }: RequestedCompression): void {
    const { failure = null } = this.#read() ?? {};
    this.#write({ summary_id: this.requested?.summary_id ?? summary_id, instructions, failure });
  }

  /** Part of a transaction. The request that waited is over. */
  fail(failure: CompressionFailure): void {
    this.#write({ summary_id: null, instructions: null, failure: JSON.stringify(failure) });
  }

  /** Part of a transaction: nothing waits, and nothing has failed. No write where that is so already. */
  clear(): void {
    if (this.#read() === null) return;
    this.#sql.exec("DELETE FROM compression");
    this.#row = null;
  }

  #write(row: CompressionRow): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO compression (id, summary_id, instructions, failure) VALUES (1, ?, ?, ?)",
      row.summary_id,
      row.instructions,
      row.failure,
    );
    this.#row = row;
  }

  #read(): CompressionRow | null {
    if (this.#row === undefined) {
      const query = "SELECT summary_id, instructions, failure FROM compression";
      this.#row = this.#sql.exec<CompressionRow>(query).toArray()[0] ?? null;
    }
    return this.#row;
  }
}
