// The queries for a request to an inbound endpoint: the secrets to verify it with, before it is authenticated, and the
// protection against replays.
import { and, eq, isNull, lt } from "drizzle-orm";

import { DEFAULT_QUOTAS, type Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { INBOUND_ID_KEPT_MS } from "../../protocol/inbound/limits.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import { openDatabase } from "../statements/database.ts";
import { tenantKeys } from "../credentials/table.ts";
import { tenants } from "../tenants/table.ts";
import { inboundEndpoints, inboundMessages } from "../webhooks/table.ts";

export interface InboundEndpointRecord {
  readonly tenant_id: string;
  readonly tenant_key: WrappedKey;
  readonly tenant_status: TenantStatus;
  /** The tenant's quota of requests per ten seconds. */
  readonly requests: Quotas["requests"];
  /** The accepted secrets, encrypted: one, or two during the overlap of a rotation. */
  readonly sealed: readonly SealedSecret[];
}

/**
 * Null for an unknown or deleted endpoint, and for a closed tenant.
 * @param now ISO time, to check the old secret's expiry.
 */
export async function findInboundEndpoint(
  binding: D1Database,
  endpointId: string,
  now: string,
): Promise<InboundEndpointRecord | null> {
  const [row] = await openDatabase(binding)
    .select({
      tenant_id: inboundEndpoints.tenant_id,
      tenant_key: tenantKeys.wrapped,
      tenant_status: tenants.status,
      quotas: tenants.quotas,
      sealed: inboundEndpoints.sealed,
      old_sealed: inboundEndpoints.old_sealed,
      old_secret_expires_at: inboundEndpoints.old_secret_expires_at,
    })
    .from(inboundEndpoints)
    .innerJoin(tenants, eq(tenants.id, inboundEndpoints.tenant_id))
    .innerJoin(tenantKeys, eq(tenantKeys.tenant_id, inboundEndpoints.tenant_id))
    .where(and(eq(inboundEndpoints.id, endpointId), isNull(tenants.deleted_at)));
  if (!row) return null;
  const { tenant_id, tenant_key, tenant_status, quotas, ...secrets } = row;
  const { sealed, old_sealed, old_secret_expires_at } = secrets;
  const requests = quotas.requests ?? DEFAULT_QUOTAS.requests;
  const isOldAccepted =
    old_sealed !== null && old_secret_expires_at !== null && old_secret_expires_at > now;
  const accepted = isOldAccepted ? [sealed, old_sealed] : [sealed];
  return { tenant_id, tenant_key, tenant_status, requests, sealed: accepted };
}

export interface InboundClaim {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly webhookId: string;
}

/**
 * Claims the webhook's id, so that only one of several requests with it is executed. Also deletes this endpoint's ids
 * that are so old that their signatures are no longer accepted.
 * @returns false when the id was claimed before.
 */
export async function claimInboundMessage(
  binding: D1Database,
  { tenantId, endpointId, webhookId }: InboundClaim,
  nowMs: number,
): Promise<boolean> {
  const database = openDatabase(binding);
  const over = new Date(nowMs - INBOUND_ID_KEPT_MS).toISOString();
  const [, taken] = await database.batch([
    database
      .delete(inboundMessages)
      .where(
        and(eq(inboundMessages.endpoint_id, endpointId), lt(inboundMessages.received_at, over)),
      ),
    database
      .insert(inboundMessages)
      .values({
        endpoint_id: endpointId,
        webhook_id: webhookId,
        tenant_id: tenantId,
        received_at: new Date(nowMs).toISOString(),
      })
      .onConflictDoNothing()
      .returning({ id: inboundMessages.webhook_id }),
  ]);
  return taken.length > 0;
}

/** Releases the id, because the request was not executed. */
export async function releaseInboundMessage(
  binding: D1Database,
  { tenantId, endpointId, webhookId }: InboundClaim,
): Promise<void> {
  await openDatabase(binding)
    .delete(inboundMessages)
    .where(
      and(
        eq(inboundMessages.endpoint_id, endpointId),
        eq(inboundMessages.webhook_id, webhookId),
        eq(inboundMessages.tenant_id, tenantId),
      ),
    );
}
