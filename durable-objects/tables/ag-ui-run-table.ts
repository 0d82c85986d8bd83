// AG-UI's runs by their ids. A run has one part or several: each is a range of a reply's events, begun by one request.

/** One part of a run. The log has it, too, in the metadata of the event with which it begins. */
export interface AgUiRunRow extends Record<string, SqlStorageValue> {
  run_id: string;
  /** From 1. */
  part: number;
  reply_id: string;
  /** The seq before its first event. */
  from_seq: number;
  /** The last seq of its reply when that waited or ended; null while it runs. */
  to_seq: number | null;
  /** The ids of new messages that came with the answers that began it, and wait for the next run, as JSON. */
  left_messages: string | null;
}

interface NewPart extends Pick<AgUiRunRow, "run_id" | "reply_id" | "from_seq" | "to_seq"> {
  readonly left_messages?: readonly string[];
}

type OpenPart = Pick<AgUiRunRow, "run_id" | "part" | "reply_id">;

export class AgUiRunTable {
  readonly #sql: SqlStorage;
  /** The parts without an end. Used at each end of a reply; the table is read once. */
  #open: Set<OpenPart> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The parts of a run, oldest first; empty for an unknown id. */
  partsOf(runId: string): readonly AgUiRunRow[] {
    const query = "SELECT * FROM runs WHERE run_id = ? ORDER BY part";
    return this.#sql.exec<AgUiRunRow>(query, runId).toArray();
  }

  /** Whether a page has ever talked to the session. */
  hasAny(): boolean {
    return this.#sql.exec("SELECT 1 FROM runs LIMIT 1").toArray().length > 0;
  }

  /** The last run of a reply; null when it has none. */
  lastOf(replyId: string): AgUiRunRow | null {
    const query = "SELECT * FROM runs WHERE reply_id = ? ORDER BY from_seq DESC LIMIT 1";
    return this.#sql.exec<AgUiRunRow>(query, replyId).toArray()[0] ?? null;
  }

  /** Adds the run's next part, in the commit with which it begins or is found. */
  add({ run_id, reply_id, from_seq, to_seq, left_messages = [] }: NewPart): void {
    const part = (this.partsOf(run_id).at(-1)?.part ?? 0) + 1;
    this.#sql.exec(
      `INSERT INTO runs (run_id, part, reply_id, from_seq, to_seq, left_messages)
       VALUES (?, ?, ?, ?, ?, ?)`,
      run_id,
      part,
      reply_id,
      from_seq,
      to_seq,
      left_messages.length === 0 ? null : JSON.stringify(left_messages),
    );
    if (to_seq === null) this.#openParts().add({ run_id, part, reply_id });
  }

  /** Part of the commit in which a reply ends or begins to wait. No write for a reply without open runs. */
  end(replyId: string, seq: number): void {
    const open = this.#openParts();
    for (const each of open) {
      const { run_id, part, reply_id } = each;
      if (reply_id !== replyId) continue;
      this.#sql.exec("UPDATE runs SET to_seq = ? WHERE run_id = ? AND part = ?", seq, run_id, part);
      open.delete(each);
    }
  }

  #openParts(): Set<OpenPart> {
    this.#open ??= new Set(
      this.#sql
        .exec<AgUiRunRow>("SELECT * FROM runs WHERE to_seq IS NULL")
        .toArray()
        .map(({ run_id, part, reply_id }) => ({ run_id, part, reply_id })),
    );
    return this.#open;
  }
}
