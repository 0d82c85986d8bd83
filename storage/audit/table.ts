// The audit log: administrative acts, with who changed what and with which credential.
import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Rows are written once, never changed, and outlive their tenant. WITHOUT ROWID. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    /** The tenant that the act concerns; `OPERATOR_ROWS` for none. */
    tenant_id: text().notNull(),
    id: text().notNull(),
    created_at: text().notNull(),
    actor_kind: text({ enum: ["operator", "api_key", "member"] }).notNull(),
    /** Id of the API key or of the member, also of one of the operator's; null for the operator's key. */
    actor_id: text(),
    /** `<resource>.<what was done>`, such as `agent.updated`. */
    action: text().notNull(),
    /** The id of what was changed. */
    target_id: text().notNull(),
    /** The resource before and after the act, as JSON without secrets; null when it did not exist. */
    before: text(),
    after: text(),
    /** IP address of the client; null when unknown. */
    address: text(),
    request_id: text().notNull(),
    /** The console session in which a person has acted; null for acts without the console. */
    console_session_id: text(),
    /** A member's name at the time of the act; null for keys. */
    actor_name: text(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.id] }),
    index("audit_entries_age").on(table.created_at),
    // Few entries, so that a member's are found when the member leaves.
    index("audit_entries_members_rules")
      .on(table.tenant_id, table.actor_id, table.id)
      .where(sql`${table.actor_kind} = 'member' AND ${table.action} = 'session.rules_added'`),
  ],
);
