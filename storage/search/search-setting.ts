// The setting of a tenant's search over sessions.
import { and, eq, gt, sql } from "drizzle-orm";

import type { SessionSearch } from "../../protocol/search/contract.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import { openDatabase } from "../statements/database.ts";
import { tenants } from "../tenants/table.ts";
import { searchChanges, searchIndexes } from "./table.ts";

/** Indexes that one step of the sweep erases; each is an object. */
const MAX_LEFT_INDEXES = 10;

export interface SearchStorage {
  read(): Promise<SessionSearch>;
  /**
   * Turns the search on or off. Off, triggers mark no session any more; the index is the caller's to erase.
   * @param audit Written when it is a change.
   */
  set(enabled: boolean, audit: WriteAudit): Promise<void>;
}

export function searchStorage(database: Database, tenantId: string): SearchStorage {
  const ofTenant = eq(searchIndexes.tenant_id, tenantId);
  return {
    async read() {
      const [row] = await database.select().from(searchIndexes).where(ofTenant);
      return { enabled: row?.enabled ?? true, stored_bytes: row?.bytes ?? 0 };
    },

    async set(enabled, audit) {
      const isThere = sql`EXISTS (SELECT 1 FROM ${searchIndexes} WHERE ${ofTenant})`;
      const isOpen = sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${tenants.id} = ${tenantId}
        AND ${tenants.deleted_at} IS NULL)`;
      // Without a row it is on.
      const put = database.insert(searchIndexes).select(
        sql`SELECT ${tenantId}, ${enabled ? 1 : 0}, ${crypto.randomUUID()}, 0
          WHERE ${isOpen} AND (${isThere} OR NOT ${enabled ? 1 : 0})
          ON CONFLICT (tenant_id) DO UPDATE SET enabled = excluded.enabled, made = excluded.made
          WHERE search_indexes.enabled <> excluded.enabled`,
      );
      const forget = database.delete(searchChanges).where(eq(searchChanges.tenant_id, tenantId));
      await database.batch([put, audit(database), ...(enabled ? [] : [forget])]);
    },
  };
}

/** Tenants whose search was turned off while their index could not be erased. */
export async function findLeftIndexes(binding: D1Database): Promise<readonly string[]> {
  const rows = await openDatabase(binding)
    .select({ tenant_id: searchIndexes.tenant_id })
    .from(searchIndexes)
    .where(and(sql`${searchIndexes.enabled} = 0`, gt(searchIndexes.bytes, 0)))
    .limit(MAX_LEFT_INDEXES);
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Whether the tenant has an index that may have words of its sessions. */
export async function hasSearchIndex(binding: D1Database, tenantId: string): Promise<boolean> {
  const found = await openDatabase(binding)
    .select({ tenant_id: searchIndexes.tenant_id })
    .from(searchIndexes)
    .where(eq(searchIndexes.tenant_id, tenantId));
  return found.length > 0;
}
