import { and, desc, eq, isNull, lt } from "drizzle-orm";

import type { ApiKey } from "../protocol/api/api-keys.ts";
import type { Page } from "../protocol/api/common.ts";
import type { Database } from "./database.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import { apiKeys } from "./schema.ts";

export interface ApiKeyStorage {
  /** @param hash The key's HMAC in hex; the key itself is never stored. */
  insert(key: Omit<ApiKey, "tenant_id">, hash: string): Promise<ApiKey>;
  /** Revoked and expired keys stay in the list. */
  list(request: ListRequest): Promise<Page<ApiKey>>;
  /** Answers whether the tenant has such a key. Revoking twice keeps the first time. */
  revoke(keyId: string, revokedAt: string): Promise<boolean>;
}

export function apiKeyStorage(database: Database, tenantId: string): ApiKeyStorage {
  function isOurs(keyId: string) {
    return and(eq(apiKeys.tenant_id, tenantId), eq(apiKeys.id, keyId));
  }

  return {
    async insert(key, hash) {
      const row = { ...key, tenant_id: tenantId };
      await database.insert(apiKeys).values({ ...row, hash });
      return row;
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

function withoutHash({ hash: _, ...key }: typeof apiKeys.$inferSelect): ApiKey {
  return key;
}
