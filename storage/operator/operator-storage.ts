// Access to D1 across tenants: the list of tenants, for the operator, and the look-up of API keys. Tenants' other data
// is not reachable here.
import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";

import type { ApiKey } from "../../protocol/keys/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { DEFAULT_QUOTAS, quotaValues, type QuotasChange } from "../../protocol/quotas/contract.ts";
import type { Tenant, TenantStatus, TenantUpdate } from "../../protocol/tenants/contract.ts";
import { REMOVAL_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import { openDatabase } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { KeyRecord } from "../keys/key-record.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { apiKeys } from "../keys/table.ts";
import { tenantKeys } from "../credentials/table.ts";
import { tenants } from "../tenants/table.ts";
import { listTenants, type TenantListRequest, toTenant } from "./list-tenants.ts";

/** Closing is {@link OperatorStorage.closeTenant}. */
type TenantChange = Omit<TenantUpdate, "status"> & {
  readonly status?: Exclude<TenantStatus, "closed">;
};

export interface StoredTenant {
  readonly tenant: Tenant;
  /** Incremented by each change of status or quotas. */
  readonly revision: number;
}

export interface OperatorStorage {
  /** Writes the tenant and its first key, both or none. */
  insertTenant(
    tenant: Tenant,
    key: ApiKey,
    hash: string,
    { keep, audit }?: { readonly keep?: KeepAnswer; readonly audit?: WriteAudit },
  ): Promise<void>;
  /** Null for a closed or unknown tenant. */
  readTenant(tenantId: string): Promise<Tenant | null>;
  /**
   * Omitted fields are not changed. A change of status or quotas increments the revision. Null for a closed or unknown
   * tenant.
   */
  updateTenant(
    tenantId: string,
    changes: TenantChange,
    audit?: WriteAudit,
  ): Promise<StoredTenant | null>;
  listTenants(request: TenantListRequest): Promise<Page<Tenant>>;
  /**
   * Closes the tenant: its API keys are refused from now on, and its data key is deleted, so that its secrets cannot be
   * decrypted. The rest is erased by {@link eraseTenantRows}. Idempotent; null for an unknown tenant.
   */
  closeTenant(tenantId: string, closedAt: string, audit?: WriteAudit): Promise<StoredTenant | null>;
  /**
   * Finds a key by the hashes of its secret, one per accepted pepper. Null for a revoked key or a closed tenant. The
   * caller must check the expiry.
   */
  findApiKey(...hashes: readonly string[]): Promise<KeyRecord | null>;
  /** Sets `last_used_at`, unless it is later than `unlessAfter`. */
  noteKeyUse(keyId: string, usedAt: string, unlessAfter: string): Promise<void>;
}

export function operatorStorage(binding: D1Database): OperatorStorage {
  const database = openDatabase(binding);
  function isOpen(tenantId: string) {
    return and(eq(tenants.id, tenantId), isNull(tenants.deleted_at));
  }

  return {
    async insertTenant(tenant, key, hash, { keep, audit } = {}) {
      await database.batch([
        database.insert(tenants).values({ ...tenant, deleted_at: null }),
        database.insert(apiKeys).values({ ...key, hash }),
        ...recordStatements(database, audit, keep),
      ]);
    },

    async readTenant(tenantId) {
      const [row] = await database.select().from(tenants).where(isOpen(tenantId));
      return row ? toTenant(row) : null;
    },

    async updateTenant(tenantId, { quotas, ...changes }, audit) {
      const isNewRevision = quotas !== undefined || changes.status !== undefined;
      const updated = database
        .update(tenants)
        .set({
          ...changes,
          ...(quotas && { quotas: changedQuotas(quotas) }),
          revision: isNewRevision ? sql`${tenants.revision} + 1` : sql`${tenants.revision}`,
        })
        .where(isOpen(tenantId))
        .returning();
      const [row] = await runInBatch(database, updated, undefined, audit);
      return row ? { tenant: toTenant(row), revision: row.revision } : null;
    },

    listTenants: (request) => listTenants(database, request),

    async closeTenant(tenantId, closedAt, audit) {
      const [[closed]] = await database.batch([
        database
          .update(tenants)
          .set({
            status: "closed",
            deleted_at: closedAt,
            removal_due_at: new Date(Date.parse(closedAt) + REMOVAL_OVERDUE_MS).toISOString(),
            revision: sql`${tenants.revision} + 1`,
          })
          .where(isOpen(tenantId))
          .returning(),
        ...recordStatements(database, audit),
        database.delete(tenantKeys).where(eq(tenantKeys.tenant_id, tenantId)),
      ]);
      const [row] = closed
        ? [closed]
        : await database.select().from(tenants).where(eq(tenants.id, tenantId));
      return row ? { tenant: toTenant(row), revision: row.revision } : null;
    },

    async findApiKey(...hashes) {
      const [row] = await database
        .select({
          id: apiKeys.id,
          tenant_id: apiKeys.tenant_id,
          scopes: apiKeys.scopes,
          expires_at: apiKeys.expires_at,
          last_used_at: apiKeys.last_used_at,
          current_hash: apiKeys.hash,
          old_secret_expires_at: apiKeys.old_secret_expires_at,
          tenant_status: tenants.status,
          quotas: tenants.quotas,
        })
        .from(apiKeys)
        .innerJoin(tenants, eq(tenants.id, apiKeys.tenant_id))
        .where(
          and(
            or(inArray(apiKeys.hash, [...hashes]), inArray(apiKeys.old_hash, [...hashes])),
            isNull(apiKeys.revoked_at),
            isNull(tenants.deleted_at),
          ),
        );
      if (!row) return null;
      const { current_hash, old_secret_expires_at, quotas, ...found } = row;
      const record = { ...found, requests: quotas.requests ?? DEFAULT_QUOTAS.requests };
      if (hashes.includes(current_hash)) return record;
      return { ...record, expires_at: earlier(record.expires_at, old_secret_expires_at) };
    },

    async noteKeyUse(keyId, usedAt, unlessAfter) {
      await database
        .update(apiKeys)
        .set({ last_used_at: usedAt })
        .where(
          and(
            eq(apiKeys.id, keyId),
            or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, unlessAfter)),
          ),
        );
    },
  };
}

/** Null means never. */
function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
}

/** The row's quotas with the change. A member of a share may be null, which `json_patch` would take out. */
function changedQuotas(change: QuotasChange) {
  const { end_user_share = {}, ...values } = quotaValues(change);
  const patched = sql`json_patch(${tenants.quotas}, ${JSON.stringify(values)})`;
  return Object.entries(end_user_share).reduce(
    (quotas, [name, value]) =>
      sql`json_set(${quotas}, ${`$.end_user_share.${name}`}, json(${JSON.stringify(value)}))`,
    patched,
  );
}
