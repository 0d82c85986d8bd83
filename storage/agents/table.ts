// The tables of agents and their versions.
import { type SQL, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";

import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

/** The same text as in the index, which SQLite finds by it. */
export function nameIn(definition: SQLiteColumn): SQL {
  return sql`json_extract(${definition}, '$.name')`;
}

export const agents = sqliteTable(
  "agents",
  {
    ...tenantRow,
    /** The current version's number. */
    version: integer().notNull(),
    ...changeTimes,
    /** No new session can use a deleted agent; its existing sessions continue. */
    deleted_at: text(),
  },
  (table) => [index("agents_tenant").on(table.tenant_id, table.id)],
);

/** Of a row nothing changes but `retired_at`. */
export const agentVersions = sqliteTable(
  "agent_versions",
  {
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    version: integer().notNull(),
    definition: text({ mode: "json" }).$type<AgentDefinition>().notNull(),
    created_at: text().notNull(),
    /** No session is given it any more; those that have it get the newest one with their next reply. */
    retired_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.agent_id, table.version] }),
    // Written once for each version, so that a definition of a megabyte is not read to find an agent by its name.
    index("agent_versions_name").on(
      table.tenant_id,
      nameIn(table.definition),
      table.agent_id,
      table.version,
    ),
  ],
);
