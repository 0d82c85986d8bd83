import { and, desc, eq, lt } from "drizzle-orm";

import type { Credential, CredentialType } from "../protocol/api/credentials.ts";
import type { Page } from "../protocol/api/common.ts";
import type { SealedSecret, WrappedKey } from "./credential-cipher.ts";
import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";
import { isOneOf } from "./is-one-of.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import { runKeeping } from "./run-keeping.ts";
import { credentials, tenantKeys } from "./schema.ts";

/** Nothing here opens a secret. */
export interface CredentialStorage {
  /** The tenant's wrapped key. `fresh` becomes it when there is none; of two at once one wins. */
  keepTenantKey(fresh: WrappedKey, createdAt: string): Promise<WrappedKey>;
  insert(credential: Credential, sealed: SealedSecret, keep?: KeepAnswer): Promise<void>;
  list(request: ListRequest): Promise<Page<Credential>>;
  /** The types of those of `ids` that exist. */
  findTypes(ids: readonly string[]): Promise<ReadonlyMap<string, CredentialType>>;
  /** Answers whether there was one. Sessions that have pinned it keep it. */
  remove(credentialId: string): Promise<boolean>;
}

const SHOWN = {
  id: credentials.id,
  name: credentials.name,
  type: credentials.type,
  created_at: credentials.created_at,
};

export function credentialStorage(database: Database, tenantId: string): CredentialStorage {
  const isOurs = eq(credentials.tenant_id, tenantId);

  return {
    async keepTenantKey(fresh, createdAt) {
      const [, rows] = await database.batch([
        database
          .insert(tenantKeys)
          .values({ tenant_id: tenantId, wrapped: fresh, created_at: createdAt })
          .onConflictDoNothing(),
        database
          .select({ wrapped: tenantKeys.wrapped })
          .from(tenantKeys)
          .where(eq(tenantKeys.tenant_id, tenantId)),
      ]);
      return rows[0]?.wrapped ?? fresh;
    },

    async insert(credential, sealed, keep) {
      const row = { ...credential, tenant_id: tenantId, sealed };
      await runKeeping(database, database.insert(credentials).values(row), keep);
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(credentials)
        .where(and(isOurs, before ? lt(credentials.id, before) : undefined))
        .orderBy(desc(credentials.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async findTypes(ids) {
      if (ids.length === 0) return new Map();
      const rows = await database
        .select({ id: credentials.id, type: credentials.type })
        .from(credentials)
        .where(and(isOurs, isOneOf(credentials.id, ids)));
      return new Map(rows.map(({ id, type }) => [id, type]));
    },

    async remove(credentialId) {
      const rows = await database
        .delete(credentials)
        .where(and(isOurs, eq(credentials.id, credentialId)))
        .returning({ id: credentials.id });
      return rows.length > 0;
    },
  };
}
