// Leases of attempts to tell clients of A2A, in the table of those of webhooks: all isolates count the same, and a receiver that
// hangs holds one place of its tenant. Nothing is sent for a tenant that is suspended.
import { MAX_TENANT_A2A_PUSHES } from "../../protocol/a2a/limits.ts";
import { MAX_TENANT_ATTEMPTS, WEBHOOK_LEASE_MS } from "../../protocol/webhooks/limits.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import type { WrappedKey } from "../secrets/credential-cipher.ts";
import type { A2aPushJob } from "../a2a/push-job.ts";
import { jobsOf, promoteWaiting, type DueDelivery } from "./webhook-leases.ts";
import type { WebhookJob } from "./webhook-job.ts";

/** In the place of an endpoint's id, which has another form. */
const ENDPOINT = "a2a_push";

export type PushClaim =
  | { readonly kind: "claimed"; readonly tenantKey: WrappedKey | null }
  /** All places are taken. */
  | { readonly kind: "busy" }
  /** Another attempt for the same config is under way, or the tenant is suspended or closed: the object asks again. */
  | { readonly kind: "later" };

const INSERT = `INSERT OR IGNORE INTO webhook_leases (tenant_id, endpoint_id, delivery_id, attempt, expires_at)
  SELECT ?1, '${ENDPOINT}', ?2, 0, ?3 FROM tenants WHERE id = ?1 AND status = 'active'
  AND (SELECT count(*) FROM webhook_leases WHERE tenant_id = ?1) < ${MAX_TENANT_ATTEMPTS}
  AND (SELECT count(*) FROM webhook_leases WHERE tenant_id = ?1 AND endpoint_id = '${ENDPOINT}')
    < ${MAX_TENANT_A2A_PUSHES}
  RETURNING delivery_id`;

const READ = `SELECT t.status, k.wrapped, EXISTS (SELECT 1 FROM webhook_leases
    WHERE tenant_id = ?1 AND endpoint_id = '${ENDPOINT}' AND delivery_id = ?2) AS is_taken
  FROM tenants t LEFT JOIN tenant_keys k ON k.tenant_id = t.id WHERE t.id = ?1`;

interface TenantRow {
  readonly status: TenantStatus;
  /** Null of a tenant that has no secrets. */
  readonly wrapped: WrappedKey | null;
  /** 1 or 0. */
  readonly is_taken: number;
}

/** One call of D1. @throws when it fails. */
export async function claimPush(
  database: D1Database,
  job: A2aPushJob,
  nowMs: number,
): Promise<PushClaim> {
  const { tenant_id } = job;
  const leaseEnd = new Date(nowMs + WEBHOOK_LEASE_MS).toISOString();
  const [, leased, read] = await database.batch([
    database
      .prepare("DELETE FROM webhook_leases WHERE tenant_id = ?1 AND expires_at <= ?2")
      .bind(tenant_id, new Date(nowMs).toISOString()),
    database.prepare(INSERT).bind(tenant_id, keyOf(job), leaseEnd),
    database.prepare(READ).bind(tenant_id, keyOf(job)),
  ]);
  const tenant = read?.results[0] as TenantRow | undefined;
  if ((leased?.results.length ?? 0) > 0 && tenant) {
    return { kind: "claimed", tenantKey: tenant.wrapped };
  }
  const isBusy = tenant?.status === "active" && tenant.is_taken === 0;
  return { kind: isBusy ? "busy" : "later" };
}

/** Gives the place back. @returns jobs of webhooks that have waited for it; the caller enqueues them. */
export async function releasePush(
  database: D1Database,
  job: A2aPushJob,
  nowMs: number,
): Promise<readonly WebhookJob[]> {
  const { tenant_id } = job;
  const [, promoted] = await database.batch<DueDelivery>([
    database
      .prepare(
        `DELETE FROM webhook_leases
         WHERE tenant_id = ?1 AND endpoint_id = '${ENDPOINT}' AND delivery_id = ?2 AND attempt = 0`,
      )
      .bind(tenant_id, keyOf(job)),
    promoteWaiting(database, tenant_id, { nowMs, most: 1 }),
  ]);
  return jobsOf(tenant_id, promoted?.results ?? []);
}

function keyOf({ session_id, reply_id, config_id }: A2aPushJob): string {
  return `${session_id}:${reply_id}:${config_id}`;
}
