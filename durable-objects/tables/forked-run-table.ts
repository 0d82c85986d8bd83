// AG-UI's runs that were asked for in this session and are in a fork of it, by their ids.

export class ForkedRunTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The fork that a run belongs to; null for any other run. */
  find(runId: string): string | null {
    const query = "SELECT session_id FROM forked_runs WHERE run_id = ?";
    return this.#sql.exec<{ session_id: string }>(query, runId).toArray()[0]?.session_id ?? null;
  }

  /** The forks that have runs, at most so many. */
  sessions(limit: number): readonly string[] {
    const query = "SELECT DISTINCT session_id FROM forked_runs ORDER BY session_id LIMIT ?";
    const rows = this.#sql.exec<{ session_id: string }>(query, limit).toArray();
    return rows.map(({ session_id }) => session_id);
  }

  /** The first fork stays: a run is never forked twice. */
  add(runId: string, sessionId: string): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO forked_runs (run_id, session_id) VALUES (?, ?)",
      runId,
      sessionId,
    );
  }
}
