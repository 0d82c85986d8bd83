// The hashes of API keys while KEY_PEPPER is rotated, across tenants.
import { and, count, eq, gt, inArray, isNull, like, not, or } from "drizzle-orm";

import { openDatabase } from "../statements/database.ts";
import { apiKeys, tenants } from "../tables/schema.ts";

/**
 * Stores a secret's hash anew, under another pepper. Doing it again changes nothing.
 * @param olderHashes Of the same secret, as it may stand there: as its key's own, or as the one before the key's last
 *   rotation.
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
 * How many keys that are good for something are not stored under the pepper with this id: nobody has used them since the
 * rotation began, and they end with the previous pepper. Reads a row for each key.
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
