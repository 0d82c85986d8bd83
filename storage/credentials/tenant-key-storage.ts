// The tenants' encrypted data keys, across tenants: for the rotation of the master key, and for sessions with an
// outdated copy.
import { and, count, eq, like, not, sql } from "drizzle-orm";

import type { WrappedKey } from "../secrets/credential-cipher.ts";
import { openDatabase } from "../statements/database.ts";
import { tenantKeys } from "./table.ts";

export interface StoredTenantKey {
  readonly tenant_id: string;
  readonly wrapped: WrappedKey;
}

/** Null for a tenant that has none or is closed. */
export async function readTenantKey(
  binding: D1Database,
  tenantId: string,
): Promise<WrappedKey | null> {
  const [row] = await openDatabase(binding)
    .select({ wrapped: tenantKeys.wrapped })
    .from(tenantKeys)
    .where(eq(tenantKeys.tenant_id, tenantId));
  return row?.wrapped ?? null;
}

/**
 * Up to `most` keys that are not encrypted with the current master key, in random order, so that keys that cannot be
 * decrypted do not block the others. Reads one row per tenant.
 * @param start The prefix of keys encrypted with the current master key.
 */
export async function findOlderTenantKeys(
  binding: D1Database,
  start: string,
  most: number,
): Promise<readonly StoredTenantKey[]> {
  return openDatabase(binding)
    .select({ tenant_id: tenantKeys.tenant_id, wrapped: tenantKeys.wrapped })
    .from(tenantKeys)
    .where(not(like(tenantKeys.wrapped, `${start}%`)))
    .orderBy(sql`random()`)
    .limit(most);
}

/** Replaces keys, except those that were replaced concurrently. One call of D1. */
export async function replaceTenantKeys(
  binding: D1Database,
  replaced: readonly { readonly stored: StoredTenantKey; readonly fresh: WrappedKey }[],
): Promise<void> {
  const database = openDatabase(binding);
  const [first, ...rest] = replaced.map(({ stored: { tenant_id, wrapped }, fresh }) =>
    database
      .update(tenantKeys)
      .set({ wrapped: fresh })
      .where(and(eq(tenantKeys.tenant_id, tenant_id), eq(tenantKeys.wrapped, wrapped))),
  );
  if (first) await database.batch([first, ...rest]);
}

/** The number of keys without the prefix `start`. Reads one row per tenant. */
export async function countOlderTenantKeys(binding: D1Database, start: string): Promise<number> {
  const [row] = await openDatabase(binding)
    .select({ rows: count() })
    .from(tenantKeys)
    .where(not(like(tenantKeys.wrapped, `${start}%`)));
  return row?.rows ?? 0;
}
