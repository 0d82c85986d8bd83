import { and, desc, eq, lt, sql } from "drizzle-orm";

import type { Credential } from "../../protocol/credentials/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { credentials, tenantKeys } from "./table.ts";

/** The restrictions on a credential's use, which an agent's definition must satisfy. */
export type CredentialUse = Pick<Credential, "type" | "allowed_hosts">;

/** Omitted fields are not changed. */
interface CredentialChange {
  readonly name?: string;
  readonly sealed?: SealedSecret;
  readonly allowed_hosts?: readonly string[];
}

/** A tenant's credentials. Secrets are stored and returned encrypted; nothing here decrypts them. */
export interface CredentialStorage {
  /** The tenant's encrypted data key. Stores `fresh` if there is none; of concurrent calls one wins. */
  keepTenantKey(fresh: WrappedKey): Promise<WrappedKey>;
  insert(
    credential: Credential,
    sealed: SealedSecret,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<void>;
  list(request: ListRequest): Promise<Page<Credential>>;
  /** Null when there is no such credential. */
  read(credentialId: string): Promise<Credential | null>;
  /** By id; unknown ids are missing in the result. */
  findUses(ids: readonly string[]): Promise<ReadonlyMap<string, CredentialUse>>;
  /** The changed credential, with the next version if its secret or its hosts have changed; null when there is none. */
  update(
    credentialId: string,
    change: CredentialChange,
    updatedAt: string,
    audit?: WriteAudit,
  ): Promise<Credential | null>;
  /** Returns whether it existed. Sessions that pinned it cannot use it from their next reply on. */
  remove(credentialId: string, audit?: WriteAudit): Promise<boolean>;
}

const SHOWN = {
  id: credentials.id,
  name: credentials.name,
  type: credentials.type,
  allowed_hosts: credentials.allowed_hosts,
  version: credentials.version,
  created_at: credentials.created_at,
  /** Null in a row written before the column existed and never changed since. */
  updated_at: sql<string>`COALESCE(${credentials.updated_at}, ${credentials.created_at})`,
};

export function credentialStorage(database: Database, tenantId: string): CredentialStorage {
  const isOurs = eq(credentials.tenant_id, tenantId);

  return {
    async keepTenantKey(fresh) {
      const [, rows] = await database.batch([
        database
          .insert(tenantKeys)
          .values({ tenant_id: tenantId, wrapped: fresh })
          .onConflictDoNothing(),
        database
          .select({ wrapped: tenantKeys.wrapped })
          .from(tenantKeys)
          .where(eq(tenantKeys.tenant_id, tenantId)),
      ]);
      return rows[0]?.wrapped ?? fresh;
    },

    async insert(credential, sealed, keep, audit) {
      const row = { ...credential, tenant_id: tenantId, sealed };
      await runInBatch(database, database.insert(credentials).values(row), keep, audit);
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

    async read(credentialId) {
      const [row] = await database
        .select(SHOWN)
        .from(credentials)
        .where(and(isOurs, eq(credentials.id, credentialId)));
      return row ?? null;
    },

    async findUses(ids) {
      if (ids.length === 0) return new Map();
      const rows = await database
        .select({ id: SHOWN.id, type: SHOWN.type, allowed_hosts: SHOWN.allowed_hosts })
        .from(credentials)
        .where(and(isOurs, isOneOf(credentials.id, ids)));
      return new Map(rows.map(({ id, ...use }) => [id, use]));
    },

    async update(credentialId, { allowed_hosts, sealed, name }, updatedAt, audit) {
      const hosts = allowed_hosts && JSON.stringify(allowed_hosts);
      const updated = database
        .update(credentials)
        .set({
          ...(name !== undefined && { name }),
          ...(sealed && { sealed }),
          ...(allowed_hosts && { allowed_hosts }),
          ...(sealed
            ? { version: sql`${credentials.version} + 1` }
            : hosts && {
                version: sql`${credentials.version} + (${credentials.allowed_hosts} IS NOT ${hosts})`,
              }),
          updated_at: updatedAt,
        })
        .where(and(isOurs, eq(credentials.id, credentialId)))
        .returning(SHOWN);
      const [row] = await runInBatch(database, updated, undefined, audit);
      return row ?? null;
    },

    async remove(credentialId, audit) {
      const removed = database
        .delete(credentials)
        .where(and(isOurs, eq(credentials.id, credentialId)))
        .returning({ id: credentials.id });
      const rows = await runInBatch(database, removed, undefined, audit);
      return rows.length > 0;
    },
  };
}
