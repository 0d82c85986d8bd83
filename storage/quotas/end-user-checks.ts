import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The view of `migrations/0012_end_user_share.sql`, which drizzle inserts into as into a table: a trigger aborts the batch when
 * what is to be added exceeds an end user's share, and nothing is stored.
 */
export const endUserChecks = sqliteTable("end_user_checks", {
  tenant_id: text().notNull(),
  holder: text().notNull(),
  quota: text().$type<"sessions" | "stored_bytes">().notNull(),
  adds: integer().notNull(),
  share: text({ mode: "json" }).notNull(),
});
