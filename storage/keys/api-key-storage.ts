import { and, desc, eq, getTableColumns, inArray, isNull, lt, or, sql } from "drizzle-orm";

import { isFormerScope, type ApiKey, type RevocationReason } from "../../protocol/keys/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { MAX_AUDITED_KEYS } from "../../protocol/audit/limits.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { isStillValid } from "./is-still-valid.ts";
import { pauseTriggersOf } from "./pause-triggers.ts";
import { apiKeys } from "./table.ts";

/** The new secret of a key, and how long the replaced one remains valid. */
interface KeyRotation {
  readonly hash: string;
  readonly prefix: string;
  /** When the replaced secret expires. A secret from an earlier rotation expires at once. */
  readonly oldSecretExpiresAt: string;
  /** Id of the API key or the member that requests the rotation, or `operator`. */
  readonly rotatedBy: string;
}

interface KeyRevocation {
  readonly revokedAt: string;
  readonly reason?: RevocationReason;
  /** Whether to revoke the keys created with this one too, recursively. */
  readonly isCascading: boolean;
}

/** A key affected by a revocation. */
interface RevokedKey {
  readonly id: string;
  /** When it was first revoked. */
  readonly revoked_at: string | null;
}

export interface ApiKeyStorage {
  /**
   * Returns false when the creating key is revoked: a Worker may have it in its cache as valid.
   * @param hash The key's HMAC-SHA-256 in hex; the key itself is never stored.
   */
  insert(key: ApiKey, hash: string, keep?: KeepAnswer, audit?: WriteAudit): Promise<boolean>;
  /** Includes revoked and expired keys. */
  read(keyId: string): Promise<ApiKey | null>;
  /** Includes revoked and expired keys. */
  list(request: ListRequest): Promise<Page<ApiKey>>;
  /** Null when there is no such key, or when it or the key that requests the rotation is revoked. */
  rotate(
    keyId: string,
    rotation: KeyRotation,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<ApiKey | null>;
  /**
   * Returns all affected keys; empty when the tenant has no such key. A repeated revocation keeps the first time and
   * the first reason. @param audit Its entry lists the keys that this call changes.
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
        .select(
          sql`SELECT ${sql.join(values, sql`, `)} WHERE ${isStillValid(tenantId, key.created_by)}`,
        )
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
          // The right side of a SET refers to the row before the update.
          old_hash: sql`${apiKeys.hash}`,
          old_secret_expires_at: oldSecretExpiresAt,
          hash,
          prefix,
        })
        .where(and(isOurs(keyId), isNull(apiKeys.revoked_at), isStillValid(tenantId, rotatedBy)))
        .returning();
      const [row] = await runInBatch(database, rotated, keep, audit);
      return row ? withoutHash(row) : null;
    },

    async revoke(keyId, { revokedAt, reason, isCascading }, audit) {
      // UNION visits each key once, so the recursion ends even if the rows contain a cycle.
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
      const isChanged = or(
        isNull(apiKeys.revoked_at),
        reason === undefined ? undefined : isNull(apiKeys.revoked_reason),
      );
      const changed = database
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(and(isReached, isChanged));
      const after = sql`json_object('revoked_at', ${revokedAt}, 'revoked_reason', ${reason ?? null},
        'revoked_keys', (SELECT count(*) FROM ${changed}),
        'revoked_key_ids', (SELECT json_group_array(id) FROM (SELECT id FROM ${changed} LIMIT ${MAX_AUDITED_KEYS})))`;
      const [, reached] = await database.batch([
        // Before the update, because it lists the rows that are about to change.
        audit(database, { when: sql`EXISTS ${changed}`, after }),
        database
          .update(apiKeys)
          .set({
            revoked_at: sql`coalesce(${apiKeys.revoked_at}, ${revokedAt})`,
            revoked_reason: sql`coalesce(${apiKeys.revoked_reason}, ${reason ?? null})`,
          })
          .where(isReached)
          .returning({ id: apiKeys.id, revoked_at: apiKeys.revoked_at }),
        ...(isCascading ? [pauseTriggersOf(database, tenantId, descendants, revokedAt)] : []),
      ]);
      return reached;
    },
  };
}

type Row = typeof apiKeys.$inferSelect;

function withoutHash({ hash: _, old_hash: __, ...key }: Row): ApiKey {
  return { ...key, scopes: key.scopes.filter((scope) => !isFormerScope(scope)) };
}
