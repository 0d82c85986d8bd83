// Counts behind the quotas: of tenants, and of the parts that their end users have.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The parts that each end user has of its tenant's quotas, maintained by the triggers in
 * `migrations/0012_end_user_share.sql`. A row without anything is deleted. WITHOUT ROWID.
 */
export const endUserCounts = sqliteTable(
  "end_user_counts",
  {
    tenant_id: text().notNull(),
    /** `u:` and the id of an end user, or `s:` and the id of a session that has none (`holderOf`). */
    holder: text().notNull(),
    sessions: integer().notNull().default(0),
    /** Of the sessions, and of files that were uploaded for them. */
    stored_bytes: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenant_id, table.holder] })],
);

/** The number of rows of each tenant, maintained by the triggers in `migrations/`, most of them in `0009_database_bytes.sql`. WITHOUT ROWID. */
export const tenantCounts = sqliteTable("tenant_counts", {
  tenant_id: text().primaryKey(),
  sessions: integer().notNull().default(0),
  agents: integer().notNull().default(0),
  agent_versions: integer().notNull().default(0),
  skills: integer().notNull().default(0),
  credentials: integer().notNull().default(0),
  api_keys: integer().notNull().default(0),
  webhook_endpoints: integer().notNull().default(0),
  inbound_endpoints: integer().notNull().default(0),
  mcp_servers: integer().notNull().default(0),
  members: integer().notNull().default(0),
  memory_stores: integer().notNull().default(0),
  triggers: integer().notNull().default(0),
  rooms: integer().notNull().default(0),
  a2a_tasks: integer().notNull().default(0),
  stored_bytes: integer().notNull().default(0),
  /** Of its rows in this database, but for versions of agents, which are stored bytes. */
  database_bytes: integer().notNull().default(0),
});
