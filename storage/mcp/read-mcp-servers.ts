// Reads MCP servers for a reply, or for one call: their definitions, what is known of them, and their credentials, as of
// one moment.
import { and, eq, inArray, sql } from "drizzle-orm";

import type { CatalogueFailure } from "../../protocol/mcp/catalogue-failure.ts";
import type { McpCatalogueTool, McpServer } from "../../protocol/mcp/contract.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import type { SealedCredentials } from "../credentials/sealed-credentials.ts";
import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { mcpCatalogues, mcpServers } from "./table.ts";
import { credentials, tenantKeys } from "../credentials/table.ts";
import { catalogueOwner } from "./catalogue-owner.ts";
import { readStoredCatalogue, type CatalogueRest } from "./stored-catalogue.ts";
import { toMcpServer } from "./mcp-server-storage.ts";

/** The catalogue that a server last had, by the same version of its definition. */
interface KnownCatalogue {
  readonly dialect: McpDialect | null;
  /** Null when they were never read. */
  readonly tools: readonly McpCatalogueTool[] | null;
  readonly rest: CatalogueRest | null;
  /** Unix milliseconds. */
  readonly read_at: number;
  readonly expires_at: number;
  readonly avoid_until: number;
  /** The reason that the server is avoided; null when it was read, and in rows of before. */
  readonly failure: CatalogueFailure | null;
}

export interface KnownMcpServer {
  readonly server: McpServer;
  /** Null when nothing is known of it. */
  readonly catalogue: KnownCatalogue | null;
}

export interface McpServersRead {
  /** By id, without those that the tenant does not have. */
  readonly servers: ReadonlyMap<string, KnownMcpServer>;
  readonly sealed: SealedCredentials;
}

/**
 * One round trip.
 * @param endUserId Whose catalogues are read of servers with grants of end users; null for none of them.
 */
export async function readMcpServers(
  database: Database,
  tenantId: string,
  ids: readonly string[],
  endUserId: string | null,
): Promise<McpServersRead> {
  const areNamed = and(eq(mcpServers.tenant_id, tenantId), isOneOf(mcpServers.id, ids));
  const named = database
    .select({ id: sql`json_each.value` })
    .from(sql`${mcpServers}, json_each(${mcpServers.credential_ids})`)
    .where(areNamed);
  const [rows, known, found, [key]] = await database.batch([
    database.select().from(mcpServers).where(areNamed),
    // Not joined: in a batch D1 loses columns of the same name.
    database
      .select()
      .from(mcpCatalogues)
      .where(
        and(
          eq(mcpCatalogues.tenant_id, tenantId),
          isOneOf(mcpCatalogues.server_id, ids),
          inArray(mcpCatalogues.end_user_id, ["", endUserId ?? ""]),
        ),
      ),
    database
      .select({
        id: credentials.id,
        sealed: credentials.sealed,
        allowed_hosts: credentials.allowed_hosts,
      })
      .from(credentials)
      .where(and(eq(credentials.tenant_id, tenantId), sql`${credentials.id} IN ${named}`)),
    database
      .select({ wrapped: tenantKeys.wrapped })
      .from(tenantKeys)
      .where(eq(tenantKeys.tenant_id, tenantId)),
  ]);
  return {
    servers: new Map(
      rows.map((row) => {
        const server = toMcpServer(row);
        const owner = catalogueOwner(server, endUserId);
        const catalogue = known.find(
          ({ server_id, version, end_user_id }) =>
            server_id === row.id && version === row.version && end_user_id === owner,
        );
        return [row.id, { server, catalogue: catalogue ? toKnown(catalogue) : null }];
      }),
    ),
    sealed: {
      credentials: Object.fromEntries(found.map(({ id, sealed }) => [id, sealed])),
      credential_hosts: Object.fromEntries(
        found.map(({ id, allowed_hosts }) => [id, allowed_hosts]),
      ),
      tenant_key: key?.wrapped,
    },
  };
}

function toKnown(row: typeof mcpCatalogues.$inferSelect): KnownCatalogue {
  const { dialect, tools, read_at, expires_at, avoid_until, failure } = row;
  const { tools: listed = null, rest = null } = tools === null ? {} : readStoredCatalogue(tools);
  return { dialect, tools: listed, rest, read_at, expires_at, avoid_until, failure };
}
