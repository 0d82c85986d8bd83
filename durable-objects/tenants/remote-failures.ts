// When agents of other systems last failed a reply of the tenant's agents: one row for each tool, or model, of an agent.
import { MAX_REMOTE_FAILURES } from "../../protocol/a2a/client-limits.ts";
import type { RemoteFailureNote } from "../api/tenant-api.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS remote_failures (
    agent_id TEXT NOT NULL,
    -- Empty for the agent that gives the replies.
    tool_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    http_status INTEGER,
    -- ISO 8601.
    failed_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, tool_name)
  ) WITHOUT ROWID;
`;

export class RemoteFailures {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
  }

  /** The newest failure of each counts; of very many the oldest go. */
  put(failures: readonly RemoteFailureNote[]): void {
    for (const { agent_id, tool_name, kind, http_status, failed_at } of failures) {
      this.#sql.exec(
        `INSERT INTO remote_failures (agent_id, tool_name, kind, http_status, failed_at)
         VALUES (?, ?, ?, ?, ?) ON CONFLICT (agent_id, tool_name) DO UPDATE SET
         kind = excluded.kind, http_status = excluded.http_status, failed_at = excluded.failed_at
         WHERE excluded.failed_at > remote_failures.failed_at`,
        agent_id,
        tool_name,
        kind,
        http_status,
        failed_at,
      );
    }
    if (failures.length === 0) return;
    this.#sql.exec(
      `DELETE FROM remote_failures WHERE (agent_id, tool_name) IN (SELECT agent_id, tool_name
       FROM remote_failures ORDER BY failed_at DESC LIMIT -1 OFFSET ?)`,
      MAX_REMOTE_FAILURES,
    );
  }

  of(agentId: string): readonly RemoteFailureNote[] {
    const query =
      "SELECT agent_id, tool_name, kind, http_status, failed_at FROM remote_failures WHERE agent_id = ?";
    return this.#sql
      .exec<{ [Member in keyof RemoteFailureNote]: RemoteFailureNote[Member] }>(query, agentId)
      .toArray();
  }

  /** Failures of an agent that was deleted go; all of them when left out. */
  clear(agentId?: string): void {
    this.#sql.exec(
      "DELETE FROM remote_failures WHERE ?1 IS NULL OR agent_id = ?1",
      agentId ?? null,
    );
  }
}
