import { type SQL, sql } from "drizzle-orm";

/**
 * Whether the key or the member with this id still has its rights: a Worker may have it in its cache as valid. True also
 * for `operator` and null, and for an id that is neither.
 */
export function isStillValid(tenantId: string, id: string | null): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM api_keys AS acting
      WHERE acting.id = ${id} AND acting.revoked_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM members AS acting
      WHERE acting.id = ${id} AND acting.tenant_id = ${tenantId} AND (acting.removed_at IS NOT NULL OR acting.role <> 'owner'))`;
}
