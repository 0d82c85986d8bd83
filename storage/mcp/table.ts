// The tables of D1 for MCP servers. Times are UTC ISO text, but where a machine compares them: Unix milliseconds.
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { McpServerDefinition } from "../../protocol/mcp/contract.ts";
import type { CatalogueFailure } from "../../protocol/mcp/catalogue-failure.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

export const mcpServers = sqliteTable(
  "mcp_servers",
  {
    ...tenantRow,
    /** Of the definition: a tenant's servers have different names, which are part of their tools' names. */
    name: text().notNull(),
    definition: text({ mode: "json" }).$type<McpServerDefinition>().notNull(),
    /** The credentials that the definition names, as a JSON list: they are read in one query with it. */
    credential_ids: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Counts the changes of the definition: what is known of an earlier one does not hold for it. */
    version: integer().notNull(),
    ...changeTimes,
  },
  (table) => [
    index("mcp_servers_tenant").on(table.tenant_id, table.id),
    uniqueIndex("mcp_servers_name").on(table.tenant_id, table.name),
  ],
);

/** The catalogue that a server last had. A cache: nothing is lost with a row. */
export const mcpCatalogues = sqliteTable(
  "mcp_catalogues",
  {
    server_id: text().notNull(),
    /** The end user whose grant it was read with; empty where all see the same. */
    end_user_id: text().notNull().default(""),
    tenant_id: text().notNull(),
    /** The version of the server's definition that was asked. */
    version: integer().notNull(),
    /** The server's dialect; null when it was never reached. */
    dialect: text({ mode: "json" }).$type<McpDialect>(),
    /** JSON of the tools; null when they were never read. */
    tools: text(),
    read_at: integer().notNull(),
    /** Unix milliseconds. Until then the tools hold; 0 when the server has said that they are others. */
    expires_at: integer().notNull(),
    /** Until then the server is not asked for its tools: it was, and they could not be read. */
    avoid_until: integer().notNull(),
    /** The reason that they could not be read; null when they could. */
    failure: text({ mode: "json" }).$type<CatalogueFailure>(),
  },
  (table) => [primaryKey({ columns: [table.server_id, table.end_user_id] })],
);
