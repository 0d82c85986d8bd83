// The tables of the search over sessions. The index itself is in an object of the tenant; D1 knows whether there is to be one,
// and which sessions it has to look at again.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Made by a tenant's first search or by its setting. Without a row the search is on, and nobody has used it. WITHOUT ROWID. */
export const searchIndexes = sqliteTable(
  "search_indexes",
  {
    tenant_id: text().primaryKey(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Names one making of the index: an object with another one begins anew. */
    made: text().notNull(),
    /** Size of the index's database, 0 when it is erased; counted in `stored_bytes` by triggers. */
    bytes: integer().notNull(),
  },
  (table) => [
    // For the sweep: turned off, and not erased yet.
    index("search_indexes_left")
      .on(table.tenant_id)
      .where(sql`${table.enabled} = 0 AND ${table.bytes} > 0`),
  ],
);

/**
 * Sessions whose title or first words have changed, or whose deletion has begun, since the index has looked at them: written
 * by triggers with what has changed, while the tenant has an index. WITHOUT ROWID.
 */
export const searchChanges = sqliteTable(
  "search_changes",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    /** A random number: a row is deleted only as it was read. */
    mark: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant_id, table.session_id] })],
);
