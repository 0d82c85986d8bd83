import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";

import type { ApiKey } from "../protocol/api/api-keys.ts";
import type { Page } from "../protocol/api/common.ts";
import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import { runKeeping } from "./run-keeping.ts";
import { apiKeys } from "./schema.ts";

/** What a rotation replaces. */
interface KeyRotation {
  readonly hash: string;
  readonly prefix: string;
  /** Until when the secret that was current works; a secret before it ends at once. */
  readonly oldSecretExpiresAt: string;
}

export interface ApiKeyStorage {
  /** @param hash The key's HMAC in hex; the key itself is never stored. */
  insert(key: ApiKey, hash: string, keep?: KeepAnswer): Promise<void>;
  /** Revoked and expired keys are found too. */
  read(keyId: string): Promise<ApiKey | null>;
  /** Revoked and expired keys stay in the list. */
  list(request: ListRequest): Promise<Page<ApiKey>>;
  /** Null when there is no such key, or it was revoked. */
  rotate(keyId: string, rotation: KeyRotation, keep?: KeepAnswer): Promise<ApiKey | null>;
  /** Answers whether the tenant has such a key. Revoking twice keeps the first time. */
  revoke(keyId: string, revokedAt: string): Promise<boolean>;
}

export function apiKeyStorage(database: Database, tenantId: string): ApiKeyStorage {
  function isOurs(keyId: string) {
    return and(eq(apiKeys.tenant_id, tenantId), eq(apiKeys.id, keyId));
  }

  return {
    async insert(key, hash, keep) {
      const row = { ...key, tenant_id: tenantId, hash };
      await runKeeping(database, database.insert(apiKeys).values(row), keep);
    },

    async read(keyId) {
      const [row] = await database.select().from(apiKeys).where(isOurs(keyId));
      return row ? withoutHash(row) : null;
    },

    async list({ before, limit }) {
      const rows = await database
        .select()
        .from(apiKeys)
        .where(and(eq(apiKeys.tenant_id, tenantId), before ? lt(apiKeys.id, before) : undefined))
        .orderBy(desc(apiKeys.id))
        .limit(limit + 1);
      return toPage(rows.map(withoutHash), limit);
    },

    async rotate(keyId, { hash, prefix, oldSecretExpiresAt }, keep) {
      const rotated = database
        .update(apiKeys)
        .set({
          // The right side of a SET sees the row as it was.
          old_hash: sql`${apiKeys.hash}`,
          old_secret_expires_at: oldSecretExpiresAt,
          hash,
          prefix,
        })
        .where(and(isOurs(keyId), isNull(apiKeys.revoked_at)))
        .returning();
      const [row] = await runKeeping(database, rotated, keep);
      return row ? withoutHash(row) : null;
    },

    async revoke(keyId, revokedAt) {
      const [, found] = await database.batch([
        database
          .update(apiKeys)
          .set({ revoked_at: revokedAt })
          .where(and(isOurs(keyId), isNull(apiKeys.revoked_at))),
        database.select({ id: apiKeys.id }).from(apiKeys).where(isOurs(keyId)),
      ]);
      return found.length > 0;
    },
  };
}

function withoutHash({ hash: _, old_hash: __, ...key }: typeof apiKeys.$inferSelect): ApiKey {
  return key;
}
