// What the operator may see: the tenants, and whose an API key is. Nothing here reaches a tenant's own rows.
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";

import type { ApiKey } from "../protocol/api/api-keys.ts";
import type { Page } from "../protocol/api/common.ts";
import { quotaValues } from "../protocol/api/quotas.ts";
import type { Tenant, TenantStatus, TenantUpdate } from "../protocol/api/tenants.ts";
import { openDatabase } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";
import { idempotencyKeys } from "./idempotency-schema.ts";
import type { KeyRecord } from "./key-record.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import {
  agents,
  agentVersions,
  apiKeys,
  credentials,
  tenantKeys,
  tenants,
  usage,
  usageDays,
} from "./schema.ts";
import {
  inboundEndpoints,
  inboundMessages,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookLeases,
} from "./webhook-schema.ts";

/** Closing is {@link OperatorStorage.closeTenant}. */
export type TenantChange = Omit<TenantUpdate, "status"> & {
  readonly status?: Exclude<TenantStatus, "closed">;
};

export interface StoredTenant {
  readonly tenant: Tenant;
  /** Grows with each change of status or quotas. */
  readonly revision: number;
}

export interface OperatorStorage {
  /** Writes the tenant and its first key, both or none. */
  insertTenant(tenant: Tenant, key: ApiKey, hash: string, keep?: KeepAnswer): Promise<void>;
  /** Null for a deleted tenant. */
  readTenant(tenantId: string): Promise<Tenant | null>;
  /**
   * Null for a deleted tenant. What is left out of `changes` stays. A change of status or quotas has a revision of its
   * own.
   */
  updateTenant(tenantId: string, changes: TenantChange): Promise<StoredTenant | null>;
  listTenants(request: ListRequest): Promise<Page<Tenant>>;
  /**
   * Closes the tenant: its keys are refused from now on, and its credentials are erased with the key that opens
   * them. Answers whether it exists or existed, so that an unfinished erasure can be asked for again.
   */
  closeTenant(tenantId: string, deletedAt: string): Promise<boolean>;
  /** Erases the rest of a closed tenant whose sessions are gone. That there was one stays known, by its id. */
  eraseTenant(tenantId: string): Promise<void>;
  /**
   * The key whose secret has one of these hashes, which are of one secret, unless it was revoked or its tenant was
   * deleted. Expiry is the caller's to check.
   */
  findApiKey(...hashes: readonly string[]): Promise<KeyRecord | null>;
  /** Notes a use, unless one was noted after `unlessAfter`. */
  noteKeyUse(keyId: string, usedAt: string, unlessAfter: string): Promise<void>;
}

export function operatorStorage(binding: D1Database): OperatorStorage {
  const database = openDatabase(binding);
  function isOpen(tenantId: string) {
    return and(eq(tenants.id, tenantId), isNull(tenants.deleted_at));
  }

  return {
    async insertTenant(tenant, key, hash, keep) {
      await database.batch([
        database.insert(tenants).values({ ...tenant, deleted_at: null }),
        database.insert(apiKeys).values({ ...key, hash }),
        ...(keep ? [keep(database)] : []),
      ]);
    },

    async readTenant(tenantId) {
      const [row] = await database.select().from(tenants).where(isOpen(tenantId));
      return row ? toTenant(row) : null;
    },

    async updateTenant(tenantId, { quotas, ...changes }) {
      const isNewStanding = quotas !== undefined || changes.status !== undefined;
      const [row] = await database
        .update(tenants)
        .set({
          ...changes,
          ...(quotas && {
            quotas: sql`json_patch(${tenants.quotas}, ${JSON.stringify(quotaValues(quotas))})`,
          }),
          revision: isNewStanding ? sql`${tenants.revision} + 1` : sql`${tenants.revision}`,
        })
        .where(isOpen(tenantId))
        .returning();
      return row ? { tenant: toTenant(row), revision: row.revision } : null;
    },

    async listTenants({ before, limit }) {
      const rows = await database
        .select()
        .from(tenants)
        .where(and(isNull(tenants.deleted_at), before ? lt(tenants.id, before) : undefined))
        .orderBy(desc(tenants.id))
        .limit(limit + 1);
      return toPage(rows.map(toTenant), limit);
    },

    async closeTenant(tenantId, deletedAt) {
      const [, found] = await database.batch([
        database.update(tenants).set({ deleted_at: deletedAt }).where(isOpen(tenantId)),
        database.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)),
        database.delete(credentials).where(eq(credentials.tenant_id, tenantId)),
        database.delete(tenantKeys).where(eq(tenantKeys.tenant_id, tenantId)),
        database
          .delete(inboundMessages)
          .where(
            inArray(
              inboundMessages.endpoint_id,
              database
                .select({ id: inboundEndpoints.id })
                .from(inboundEndpoints)
                .where(eq(inboundEndpoints.tenant_id, tenantId)),
            ),
          ),
        database.delete(inboundEndpoints).where(eq(inboundEndpoints.tenant_id, tenantId)),
        database
          .delete(webhookAttempts)
          .where(
            inArray(
              webhookAttempts.delivery_id,
              database
                .select({ id: webhookDeliveries.id })
                .from(webhookDeliveries)
                .where(eq(webhookDeliveries.tenant_id, tenantId)),
            ),
          ),
        database.delete(webhookDeliveries).where(eq(webhookDeliveries.tenant_id, tenantId)),
        database.delete(webhookEndpoints).where(eq(webhookEndpoints.tenant_id, tenantId)),
        database.delete(webhookLeases).where(eq(webhookLeases.tenant_id, tenantId)),
      ]);
      return found.length > 0;
    },

    async eraseTenant(tenantId) {
      const isErasable = and(eq(tenants.id, tenantId), isNotNull(tenants.deleted_at));
      await database.batch([
        database.delete(agentVersions).where(eq(agentVersions.tenant_id, tenantId)),
        database.delete(agents).where(eq(agents.tenant_id, tenantId)),
        database.delete(apiKeys).where(eq(apiKeys.tenant_id, tenantId)),
        database.delete(usage).where(eq(usage.tenant_id, tenantId)),
        database.delete(usageDays).where(eq(usageDays.tenant_id, tenantId)),
        database.delete(idempotencyKeys).where(eq(idempotencyKeys.tenant_id, tenantId)),
        database.update(tenants).set({ name: "", metadata: {} }).where(isErasable),
      ]);
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
      const { current_hash, old_secret_expires_at, ...record } = row;
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

/** Null is never. */
function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
}

function toTenant({ deleted_at: _, revision: __, ...tenant }: typeof tenants.$inferSelect): Tenant {
  return { ...tenant, metadata: tenant.metadata as Tenant["metadata"] };
}
