// The registry of memory stores. The memories themselves are in an object for each store; D1 knows which stores there are, so
// that lists, the deletion of an agent, the erasure of an end user and the closing of a tenant find them.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

export const memoryStores = sqliteTable(
  "memory_stores",
  {
    /** Follows from tenant, agent and end user (`store-id.ts`); also the name of the object. */
    ...tenantRow,
    agent_id: text().notNull(),
    /** Null for the store that all end users of the agent share. */
    end_user_id: text(),
    memories: integer().notNull(),
    /** Of the object's database. */
    bytes: integer().notNull(),
    ...changeTimes,
    /** When its erasure began; the row goes last. */
    deleted_at: text(),
  },
  (table) => [
    index("memory_stores_tenant").on(table.tenant_id, table.created_at, table.id),
    index("memory_stores_agent").on(table.tenant_id, table.agent_id, table.created_at, table.id),
    index("memory_stores_end_user").on(table.tenant_id, table.end_user_id, table.id),
    index("memory_stores_deleted")
      .on(table.deleted_at)
      .where(sql`${table.deleted_at} IS NOT NULL`),
  ],
);
