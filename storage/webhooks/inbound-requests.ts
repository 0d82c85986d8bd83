// What an unsigned stranger's request may ask of D1: whose secrets to check it with, and whether it came before.
import { and, eq, isNull, lt } from "drizzle-orm";

import { DEFAULT_QUOTAS, type Quotas } from "../../protocol/api/quotas.ts";
import type { TenantStatus } from "../../protocol/api/tenants.ts";
import { INBOUND_ID_KEPT_MS } from "../../protocol/limits/inbound.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import { openDatabase } from "../statements/database.ts";
import { tenantKeys, tenants } from "../tables/schema.ts";
import { inboundEndpoints, inboundMessages } from "../tables/webhook-schema.ts";

export interface InboundEndpointRecord {
  readonly tenant_id: string;
  readonly tenant_key: WrappedKey;
  readonly tenant_status: TenantStatus;
  /** The tenant's quota of requests in ten seconds. */
  readonly requests: Quotas["requests"];
  /** The secrets that are believed now, sealed: one, or two within a rotation's overlap. */
  readonly sealed: readonly SealedSecret[];
}

/** Whose endpoint this is; null for one that never was, was deleted, or belonged to a deleted tenant. */
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
  const isOldBelieved =
    old_sealed !== null && old_secret_expires_at !== null && old_secret_expires_at > now;
  const believed = isOldBelieved ? [sealed, old_sealed] : [sealed];
  return { tenant_id, tenant_key, tenant_status, requests, sealed: believed };
}

export interface InboundClaim {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly webhookId: string;
}

/**
 * Takes the webhook's id, so that of two requests with it one is acted on. Forgets this endpoint's ids whose
 * signatures nobody would believe any more.
 * @returns False when it was taken before.
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

/** Gives the id back: nothing was done for it. */
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
