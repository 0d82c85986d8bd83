// Removals of end users that have begun. A row is deleted when its removal is done.
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** WITHOUT ROWID. */
export const endUserRemovals = sqliteTable(
  "end_user_removals",
  {
    tenant_id: text().notNull(),
    end_user_id: text().notNull(),
    /** Data from then or before is erased. */
    requested_at: text().notNull(),
    /** Of the jobs of a removal only those of this chain go on: a repeated request begins another one. */
    chain: text().notNull(),
    /** When the sweep gives it a new job. */
    due_at: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.end_user_id] }),
    index("end_user_removals_due").on(table.due_at),
  ],
);
