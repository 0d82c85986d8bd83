import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lt,
  or,
  sql,
  type SQL,
} from "drizzle-orm";

import type { ApiKey, RevocationReason } from "../../protocol/api/api-keys.ts";
import type { Page } from "../../protocol/api/schemas/common.ts";
import { MAX_AUDITED_KEYS } from "../../protocol/limits/audit.ts";
import type { WriteAudit } from "../statements/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../statements/idempotency-storage.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../statements/run-in-batch.ts";
import { apiKeys } from "../tables/schema.ts";

/** What a rotation replaces. */
interface KeyRotation {
  readonly hash: string;
  readonly prefix: string;
  /** Until when the secret that was current works; a secret before it ends at once. */
  readonly oldSecretExpiresAt: string;
  /** The key that rotates it; null for the operator. */
  readonly rotatedBy: string | null;
}

interface KeyRevocation {
  readonly revokedAt: string;
  readonly reason?: RevocationReason;
  /** With the keys that it made, and those that they made. */
  readonly isCascading: boolean;
}

/** A key that a revocation has reached. */
interface RevokedKey {
  readonly id: string;
  /** When it was first revoked. */
  readonly revoked_at: string | null;
}

export interface ApiKeyStorage {
  /**
   * Answers false when the key that makes it was revoked: a Worker may believe that one for a while.
   * @param hash The key's HMAC in hex; the key itself is never stored.
   */
  insert(key: ApiKey, hash: string, keep?: KeepAnswer, audit?: WriteAudit): Promise<boolean>;
  /** Revoked and expired keys are found too. */
  read(keyId: string): Promise<ApiKey | null>;
  /** Revoked and expired keys stay in the list. */
  list(request: ListRequest): Promise<Page<ApiKey>>;
  /** Null when there is no such key, it was revoked, or the one that rotates it was. */
  rotate(
    keyId: string,
    rotation: KeyRotation,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<ApiKey | null>;
  /**
   * Answers with the key and those that went with it; with none when the tenant has no such key. Revoking twice keeps
   * the first time and the first reason. @param audit Says which keys were not revoked before.
   */
  revoke(
    keyId: string,
    revocation: KeyRevocation,
    audit: WriteAudit,
  ): Promise<readonly RevokedKey[]>;
}

export function apiKeyStorage(database: Database, tenantId: string): ApiKeyStorage {
  function isOurs(keyId: string) {
    return and(eq(apiKeys.tenant_id, tenantId), eq(apiKeys.id, keyId));
  }

  return {
    async insert(key, hash, keep, audit) {
      const row: Row = {
        ...key,
        tenant_id: tenantId,
        hash,
        old_hash: null,
      };
      // In the order of the table's columns.
      const values = Object.entries(getTableColumns(apiKeys)).map(
        ([name, column]) => sql`${sql.param(row[name as keyof Row], column)}`,
      );
      const inserted = database
        .insert(apiKeys)
        .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isNotRevoked(key.created_by)}`)
        .returning({ id: apiKeys.id });
      const rows = await runInBatch(database, inserted, keep, audit);
      return rows.length > 0;
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

    async rotate(keyId, { hash, prefix, oldSecretExpiresAt, rotatedBy }, keep, audit) {
      const rotated = database
        .update(apiKeys)
        .set({
          // The right side of a SET sees the row as it was.
          old_hash: sql`${apiKeys.hash}`,
          old_secret_expires_at: oldSecretExpiresAt,
          hash,
          prefix,
        })
        .where(and(isOurs(keyId), isNull(apiKeys.revoked_at), isNotRevoked(rotatedBy)))
        .returning();
      const [row] = await runInBatch(database, rotated, keep, audit);
      return row ? withoutHash(row) : null;
    },

    async revoke(keyId, { revokedAt, reason, isCascading }, audit) {
      // UNION looks at each key once, so it comes to an end whatever the rows say.
      const descendants = sql`(
        WITH RECURSIVE tree (id) AS (
          SELECT ${keyId}
          UNION
          SELECT made.id FROM api_keys AS made JOIN tree ON made.created_by = tree.id
          WHERE made.tenant_id = ${tenantId}
        ) SELECT id FROM tree)`;
      const isReached = and(
        eq(apiKeys.tenant_id, tenantId),
        isCascading ? inArray(apiKeys.id, descendants) : eq(apiKeys.id, keyId),
      );
      const isNews = or(
        isNull(apiKeys.revoked_at),
        reason === undefined ? undefined : isNull(apiKeys.revoked_reason),
      );
      const news = database.select({ id: apiKeys.id }).from(apiKeys).where(and(isReached, isNews));
      const told = sql`json_object('revoked_at', ${revokedAt}, 'revoked_reason', ${reason ?? null},
        'revoked_keys', (SELECT count(*) FROM ${news}),
        'revoked_key_ids', (SELECT json_group_array(id) FROM (SELECT id FROM ${news} LIMIT ${MAX_AUDITED_KEYS})))`;
      const [, reached] = await database.batch([
        // Before the act: it says what is going to change.
        audit(database, { when: sql`EXISTS ${news}`, after: told }),
        database
          .update(apiKeys)
          .set({
            revoked_at: sql`coalesce(${apiKeys.revoked_at}, ${revokedAt})`,
            revoked_reason: sql`coalesce(${apiKeys.revoked_reason}, ${reason ?? null})`,
          })
          .where(isReached)
          .returning({ id: apiKeys.id, revoked_at: apiKeys.revoked_at }),
      ]);
      return reached;
    },
  };
}

type Row = typeof apiKeys.$inferSelect;

/** Whether it may still act: true for the operator, and for nobody who is known. */
function isNotRevoked(keyId: string | null): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM api_keys AS acting
    WHERE acting.id = ${keyId} AND acting.revoked_at IS NOT NULL)`;
}

function withoutHash({ hash: _, old_hash: __, ...key }: Row): ApiKey {
  return key;
}
