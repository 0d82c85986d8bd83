// The deployment's activity, for its operator: counters without a tenant.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sessions that were opened and replies that ended in ten minutes. Rows are deleted after a day. WITHOUT ROWID. */
export const activity = sqliteTable(
  "activity",
  {
    /** When the ten minutes began: `2026-11-23T09:10`, in UTC. */
    slot: text().notNull(),
    /** `session` or the status of a reply that ended. */
    kind: text().notNull(),
    /** The type of the error of a reply; `` without one. */
    error_type: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.slot, table.kind, table.error_type] })],
);
