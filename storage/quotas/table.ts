// End users' parts of their tenants' quotas.
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
