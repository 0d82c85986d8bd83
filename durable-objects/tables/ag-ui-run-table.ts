// AG-UI's runs by their ids, each a range of a reply's events. They make a repeated run id the same run.

/** The row of a run. The log has it, too, in the metadata of the event with which it begins. */
export interface AgUiRunRow extends Record<string, SqlStorageValue> {
  run_id: string;
  reply_id: string;
  /** The seq before its first event. */
  from_seq: number;
  /** The last seq of its reply when that waited or ended; null while it runs. */
  to_seq: number | null;
}

export class AgUiRunTable {
  readonly #sql: SqlStorage;
  /** The reply ids of runs without an end, by run id. Used at each end of a reply; the table is read once. */
  #open: Map<string, string> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(runId: string): AgUiRunRow | null {
    return (
      this.#sql.exec<AgUiRunRow>("SELECT * FROM runs WHERE run_id = ?", runId).toArray()[0] ?? null
    );
  }

  /** The last run of a reply; null when it has none. */
  lastOf(replyId: string): AgUiRunRow | null {
    const query = "SELECT * FROM runs WHERE reply_id = ? ORDER BY from_seq DESC LIMIT 1";
    return this.#sql.exec<AgUiRunRow>(query, replyId).toArray()[0] ?? null;
  }

  /** Part of the commit with which the run begins or is found. An existing row stays as it is. */
  add({ run_id, reply_id, from_seq, to_seq }: AgUiRunRow): void {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO runs (run_id, reply_id, from_seq, to_seq) VALUES (?, ?, ?, ?)",
      run_id,
      reply_id,
      from_seq,
      to_seq,
    );
    if (rowsWritten > 0 && to_seq === null) this.#openRuns().set(run_id, reply_id);
  }

  /** Part of the commit in which a reply ends or begins to wait. No write for a reply without open runs. */
  end(replyId: string, seq: number): void {
    const open = this.#openRuns();
    for (const [runId, ofReply] of open) {
      if (ofReply !== replyId) continue;
      this.#sql.exec("UPDATE runs SET to_seq = ? WHERE run_id = ?", seq, runId);
      open.delete(runId);
    }
  }

  #openRuns(): Map<string, string> {
    this.#open ??= new Map(
      this.#sql
        .exec<AgUiRunRow>("SELECT * FROM runs WHERE to_seq IS NULL")
        .toArray()
        .map(({ run_id, reply_id }) => [run_id, reply_id]),
    );
    return this.#open;
  }
}
