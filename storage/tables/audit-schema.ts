// The table of administrative acts: who changed what, with which credential.
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Rows are written once, never changed, and outlive their tenant. WITHOUT ROWID. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    /** Whose affair it was. */
    tenant_id: text().notNull(),
    id: text().notNull(),
    created_at: text().notNull(),
    actor_kind: text({ enum: ["operator", "api_key"] }).notNull(),
    /** Of the API key; null for the operator. */
    actor_id: text(),
    /** `<resource>.<what was done>`, such as `agent.updated`. */
    action: text().notNull(),
    /** The id of what was changed. */
    target_id: text().notNull(),
    /** JSON without secrets; null when there was nothing, or nothing is left. */
    before: text(),
    after: text(),
    /** The address that the request came from; null when the network did not say. */
    address: text(),
    request_id: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.id] }),
    index("audit_entries_age").on(table.created_at),
  ],
);
