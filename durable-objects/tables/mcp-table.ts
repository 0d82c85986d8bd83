// The session's knowledge of the MCP servers of its replies: the catalogues that a reply is pinned to, the servers'
// settings as D1 last had them, and the sessions that stateful servers have given.
import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import type { SealedCredentials } from "../../storage/credentials/sealed-credentials.ts";

/** A server's settings that a call needs while D1 is away. */
export interface StoredMcpServer extends SealedCredentials {
  readonly server: McpServer;
  readonly dialect: McpDialect | null;
}

/** The `Mcp-Session-Id` of a stateful server, for the version of its settings that it was opened with. */
interface StoredSession {
  readonly version: number;
  readonly id: string;
}

export class McpTable {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #pins: readonly McpPin[] | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  /** Pins of the open reply, or of the last one; the same list until they change. */
  pins(): readonly McpPin[] {
    this.#pins ??= this.#sql
      .exec<{ pin: string }>("SELECT pin FROM mcp_servers WHERE pin IS NOT NULL ORDER BY server_id")
      .toArray()
      .map(({ pin }) => JSON.parse(pin) as McpPin);
    return this.#pins;
  }

  /** Whether the pins are those of this reply. */
  arePinnedFor(replyId: string): boolean {
    const rows = this.#sql
      .exec("SELECT 1 FROM mcp_servers WHERE reply_id = ? LIMIT 1", replyId)
      .toArray();
    return rows.length > 0;
  }

  /** In place of those of the reply before; what is known of a server that is not among them goes. */
  pin(replyId: string, pins: readonly McpPin[]): void {
    this.#storage.transactionSync(() => {
      const ids = JSON.stringify(pins.map(({ server_id }) => server_id));
      this.#sql.exec(
        "DELETE FROM mcp_servers WHERE server_id NOT IN (SELECT value FROM json_each(?))",
        ids,
      );
      for (const pin of pins) {
        this.#sql.exec(
          `INSERT INTO mcp_servers (server_id, reply_id, pin) VALUES (?, ?, ?)
           ON CONFLICT (server_id) DO UPDATE SET reply_id = excluded.reply_id, pin = excluded.pin`,
          pin.server_id,
          replyId,
          JSON.stringify(pin),
        );
      }
    });
    this.#pins = null;
  }

  /** Null when nothing is stored. */
  stored(
    serverId: string,
  ): { readonly known: StoredMcpServer; readonly confirmedAtMs: number } | null {
    const [row] = this.#sql
      .exec<{ settings: string | null; confirmed_at: number }>(
        "SELECT settings, confirmed_at FROM mcp_servers WHERE server_id = ?",
        serverId,
      )
      .toArray();
    if (!row?.settings) return null;
    return {
      known: JSON.parse(row.settings) as StoredMcpServer,
      confirmedAtMs: row.confirmed_at,
    };
  }

  store(known: StoredMcpServer, confirmedAtMs: number): void {
    this.#sql.exec(
      `INSERT INTO mcp_servers (server_id, settings, confirmed_at) VALUES (?, ?, ?)
       ON CONFLICT (server_id) DO UPDATE
       SET settings = excluded.settings, confirmed_at = excluded.confirmed_at`,
      known.server.id,
      JSON.stringify(known),
      confirmedAtMs,
    );
  }

  /** D1 has no such server any more. */
  forget(serverId: string): void {
    this.#sql.exec(
      "UPDATE mcp_servers SET settings = NULL, session = NULL WHERE server_id = ? AND settings IS NOT NULL",
      serverId,
    );
  }

  /** @param version Of the server's settings: a session that was opened with others is none of theirs. */
  sessionId(serverId: string, version: number): string | null {
    const session = this.session(serverId);
    return session?.version === version ? session.id : null;
  }

  /** The session with a server, of any version of the server's settings. */
  session(serverId: string): StoredSession | null {
    const [row] = this.#sql
      .exec<{ session: string | null }>(
        "SELECT session FROM mcp_servers WHERE server_id = ?",
        serverId,
      )
      .toArray();
    return row?.session ? (JSON.parse(row.session) as StoredSession) : null;
  }

  storeSession(serverId: string, session: StoredSession | null): void {
    this.#sql.exec(
      `INSERT INTO mcp_servers (server_id, session) VALUES (?, ?)
       ON CONFLICT (server_id) DO UPDATE SET session = excluded.session`,
      serverId,
      session && JSON.stringify(session),
    );
  }
}
