// Writes what was found out about an MCP server, for the next one who needs it. A cache: what cannot be written is found
// out again.
import { and, eq, exists, sql } from "drizzle-orm";

import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import type { CatalogueFailure } from "../../protocol/mcp/catalogue-failure.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { writeCatalogue, type CatalogueRest } from "./stored-catalogue.ts";
import { openDatabase, type Database } from "../statements/database.ts";
import { mcpCatalogues, mcpServers } from "./table.ts";

/** The server as it was asked. */
export interface AskedServer {
  readonly tenant_id: string;
  readonly server_id: string;
  /** Of its definition. */
  readonly version: number;
  /** See `catalogueOwner`. */
  readonly end_user_id: string;
}

export type McpServerNote =
  | {
      readonly type: "read";
      readonly dialect: McpDialect;
      readonly tools: readonly McpCatalogueTool[];
      /** Counts of tools that `tools` lacks of the server's list; nothing when left out. */
      readonly rest?: CatalogueRest;
      /** Unix milliseconds, as all times here. */
      readonly readAtMs: number;
      readonly expiresAtMs: number;
    }
  /** The server's tools could not be read. What is known of it stays. */
  | {
      readonly type: "failed";
      readonly failure: CatalogueFailure;
      readonly avoidUntilMs: number;
    }
  /** The server says that its tools are others now. */
  | { readonly type: "changed" }
  /** The dialect in which the server is spoken to has become known. */
  | { readonly type: "spoken"; readonly dialect: McpDialect };

/** No effect for a server that was changed or deleted meanwhile. */
export async function noteMcpServer(
  binding: D1Database,
  asked: AskedServer,
  update: McpServerNote,
): Promise<void> {
  const database = openDatabase(binding);
  const { tenant_id, server_id, version, end_user_id } = asked;
  if (update.type === "changed" || update.type === "spoken") {
    await database
      .update(mcpCatalogues)
      .set(update.type === "changed" ? { expires_at: 0 } : { dialect: update.dialect })
      .where(
        and(
          eq(mcpCatalogues.server_id, server_id),
          eq(mcpCatalogues.end_user_id, end_user_id),
          eq(mcpCatalogues.tenant_id, tenant_id),
          ...(update.type === "spoken" ? [eq(mcpCatalogues.version, version)] : []),
        ),
      );
    return;
  }
  const fresh =
    update.type === "read"
      ? {
          dialect: update.dialect,
          tools: writeCatalogue(update),
          read_at: update.readAtMs,
          expires_at: update.expiresAtMs,
          avoid_until: 0,
          failure: null,
        }
      : { avoid_until: update.avoidUntilMs, failure: JSON.stringify(update.failure) };
  await database.run(sql`
    INSERT INTO mcp_catalogues
      (server_id, end_user_id, tenant_id, version, dialect, tools, read_at, expires_at, avoid_until, failure)
    SELECT ${server_id}, ${end_user_id}, ${tenant_id}, ${version}, ${fresh.dialect ? JSON.stringify(fresh.dialect) : null},
      ${fresh.tools ?? null}, ${fresh.read_at ?? 0}, ${fresh.expires_at ?? 0}, ${fresh.avoid_until}, ${fresh.failure}
    WHERE ${isCurrent(database, asked)}
    ON CONFLICT (server_id, end_user_id) DO UPDATE SET
      version = excluded.version,
      dialect = coalesce(excluded.dialect, CASE WHEN version = excluded.version THEN dialect END),
      tools = coalesce(excluded.tools, CASE WHEN version = excluded.version THEN tools END),
      read_at = max(excluded.read_at, CASE WHEN version = excluded.version THEN read_at ELSE 0 END),
      expires_at = CASE WHEN excluded.tools IS NULL AND version = excluded.version
        THEN expires_at ELSE excluded.expires_at END,
      avoid_until = excluded.avoid_until,
      failure = excluded.failure
    WHERE version <= excluded.version`);
}

function isCurrent(database: Database, { tenant_id, server_id, version }: AskedServer) {
  return exists(
    database
      .select({ id: mcpServers.id })
      .from(mcpServers)
      .where(
        and(
          eq(mcpServers.id, server_id),
          eq(mcpServers.tenant_id, tenant_id),
          eq(mcpServers.version, version),
        ),
      ),
  );
}
