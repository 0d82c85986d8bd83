// The hashes of API keys during a rotation of KEY_PEPPER, across tenants.
import { and, count, eq, gt, inArray, isNull, like, not, or } from "drizzle-orm";

import { openDatabase } from "../statements/database.ts";
import { apiKeys } from "./table.ts";
import { tenants } from "../tenants/table.ts";

/**
 * Replaces the stored hash of a secret by the one with the current pepper. Idempotent.
 * @param olderHashes Hashes of the same secret with the other accepted peppers. It may be its key's current secret or
 *   the one before the key's last rotation.
 */
export async function rehashApiKey(
  binding: D1Database,
  hash: string,
  olderHashes: readonly string[],
): Promise<void> {
  const database = openDatabase(binding);
  const older = [...olderHashes];
  await database.batch([
    database.update(apiKeys).set({ hash }).where(inArray(apiKeys.hash, older)),
    database.update(apiKeys).set({ old_hash: hash }).where(inArray(apiKeys.old_hash, older)),
  ]);
}

/**
 * The number of valid keys whose hash does not use the pepper with this id. They were not used since the rotation
 * began, and become invalid when the previous pepper is removed. Reads one row per key.
 */
export async function countOlderApiKeys(
  binding: D1Database,
  keyId: string,
  now: string,
): Promise<number> {
  const isNewer = `${keyId}:%`;
  const [row] = await openDatabase(binding)
    .select({ rows: count() })
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenant_id))
    .where(
      and(
        isNull(apiKeys.revoked_at),
        isNull(tenants.deleted_at),
        or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, now)),
        or(
          not(like(apiKeys.hash, isNewer)),
          and(gt(apiKeys.old_secret_expires_at, now), not(like(apiKeys.old_hash, isNewer))),
        ),
      ),
    );
  return row?.rows ?? 0;
}
