// Columns that many tables of D1 have.
import { text } from "drizzle-orm/sqlite-core";

/** A row of a tenant, by its id. */
export const tenantRow = {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
};

/** Times of a row's creation and of its last change, UTC ISO 8601. */
export const changeTimes = {
  created_at: text().notNull(),
  updated_at: text().notNull(),
};
