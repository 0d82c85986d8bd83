// Limits the concurrent delivery attempts per tenant and per endpoint. Each attempt holds a lease in D1, so that all
// isolates count the same. A due delivery that gets no lease waits in D1 without a job; the end of an attempt promotes
// others. Nothing is sent for a tenant that is suspended.
import { WEBHOOK_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import {
  MAX_ENDPOINT_ATTEMPTS,
  MAX_TENANT_ATTEMPTS,
  WEBHOOK_RETRY_MS,
} from "../../protocol/webhooks/limits.ts";
import type { WebhookJob } from "./webhook-job.ts";

/** Attempts of one pass of the retry schedule. */
export const MAX_WEBHOOK_ATTEMPTS = WEBHOOK_RETRY_MS.length + 1;

/** Condition that attempt `?3` of delivery `d` is due at `?4` and was not made. */
const IS_DUE = `d.status = 'pending' AND d.next_attempt_at <= ?4
  AND (d.attempts = ?3 - 1 OR (d.attempts = ?3 AND NOT EXISTS (SELECT 1 FROM webhook_attempts
    WHERE delivery_id = ?1 AND attempt = ?3)))`;

const OPEN_ENDPOINT = `SELECT 1 FROM webhook_endpoints e
  WHERE e.id = d.endpoint_id AND e.tenant_id = ?2 AND e.disabled_at IS NULL`;

/** Deletes expired leases, of machines that have died. */
const DELETE_EXPIRED = "DELETE FROM webhook_leases WHERE tenant_id = ?1 AND expires_at <= ?2";

/** Within the concurrency limits; while the endpoint's circuit is open, one probe once its time has come. */
const INSERT_LEASE = `INSERT OR IGNORE INTO webhook_leases (tenant_id, endpoint_id, delivery_id, attempt, expires_at)
  SELECT d.tenant_id, d.endpoint_id, d.id, ?3, ?5 FROM webhook_deliveries d
  JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.tenant_id = d.tenant_id
  WHERE d.id = ?1 AND d.tenant_id = ?2 AND ${IS_DUE} AND e.disabled_at IS NULL
  AND EXISTS (SELECT 1 FROM tenants WHERE id = ?2 AND status = 'active')
  AND (SELECT count(*) FROM webhook_leases WHERE tenant_id = ?2) < ${MAX_TENANT_ATTEMPTS}
  AND (SELECT count(*) FROM webhook_leases WHERE tenant_id = ?2 AND endpoint_id = d.endpoint_id)
    < iif(e.circuit_retry_at IS NULL OR ?6, ${MAX_ENDPOINT_ATTEMPTS}, e.circuit_retry_at <= ?4)
  RETURNING delivery_id`;

/** Starts the attempt if it got the lease. */
const START_ATTEMPT = `UPDATE webhook_deliveries AS d
  SET attempts = ?3, next_attempt_at = ?5, waits = 0, overdue_at = ?5
  WHERE d.id = ?1 AND d.tenant_id = ?2 AND ${IS_DUE} AND EXISTS (SELECT 1 FROM webhook_leases l
    WHERE l.tenant_id = ?2 AND l.endpoint_id = d.endpoint_id AND l.delivery_id = ?1 AND l.attempt = ?3)`;

/** The delivery waits if it is still due, that is, without a lease. */
const MARK_WAITING = `UPDATE webhook_deliveries AS d SET waits = 1, overdue_at = NULL
  WHERE d.id = ?1 AND d.tenant_id = ?2 AND ${IS_DUE} AND EXISTS (${OPEN_ENDPOINT}) AND waits = 0`;

/**
 * Statements for a batch. The second result has a row if the attempt got a lease; otherwise the delivery waits if it is
 * due.
 */
export function acquireLease(
  database: D1Database,
  { delivery_id, tenant_id, attempt, is_asked_for: isAskedFor }: WebhookJob,
  { now, leaseEnd }: { readonly now: string; readonly leaseEnd: string },
): readonly D1PreparedStatement[] {
  const place = [delivery_id, tenant_id, attempt, now] as const;
  return [
    database.prepare(DELETE_EXPIRED).bind(tenant_id, now),
    database.prepare(INSERT_LEASE).bind(...place, leaseEnd, isAskedFor ? 1 : 0),
    database.prepare(START_ATTEMPT).bind(...place, leaseEnd),
    database.prepare(MARK_WAITING).bind(...place),
  ];
}

/** Releases the lease, also of a delivery that was deleted. */
export function releaseLease(
  database: D1Database,
  endpointId: string,
  { delivery_id, tenant_id, attempt }: WebhookJob,
): D1PreparedStatement {
  return database
    .prepare(
      `DELETE FROM webhook_leases
       WHERE tenant_id = ?1 AND endpoint_id = ?2 AND delivery_id = ?3 AND attempt = ?4`,
    )
    .bind(tenant_id, endpointId, delivery_id, attempt);
}

/** The deliveries that wait for endpoint `e`, longest waiting first, up to its concurrency limit, as a JSON array. */
const WAITING = `SELECT json_group_array(id) FROM (SELECT d.id FROM webhook_deliveries d
  WHERE d.tenant_id = ?1 AND d.endpoint_id = e.id AND d.waits = 1
  ORDER BY d.next_attempt_at LIMIT ${MAX_ENDPOINT_ATTEMPTS})`;

/**
 * Endpoints with the fewest running attempts come first. Reads some rows per endpoint of the tenant, and none when
 * nothing waits.
 */
const PROMOTE = `UPDATE webhook_deliveries SET waits = 0, overdue_at = ?3 WHERE id IN (
  SELECT waiting.value
    FROM (SELECT id, circuit_retry_at, (SELECT count(*) FROM webhook_leases l
        WHERE l.tenant_id = ?1 AND l.endpoint_id = webhook_endpoints.id AND l.expires_at > ?2) AS under_way
      FROM webhook_endpoints WHERE tenant_id = ?1 AND disabled_at IS NULL
      AND EXISTS (SELECT 1 FROM tenants WHERE id = ?1 AND status = 'active')
      AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE tenant_id = ?1 AND waits = 1)) e,
      json_each((${WAITING})) waiting
    WHERE e.under_way + waiting.key
      < iif(e.circuit_retry_at IS NULL, ${MAX_ENDPOINT_ATTEMPTS}, e.circuit_retry_at <= ?2)
    ORDER BY e.under_way + waiting.key
    LIMIT max(0, min(?4, ${MAX_TENANT_ATTEMPTS} - (SELECT count(*) FROM webhook_leases
      WHERE tenant_id = ?1 AND expires_at > ?2)))
) RETURNING id, attempts`;

/** A delivery that is due, with the number of its attempts so far. */
export interface DueDelivery {
  readonly id: string;
  readonly attempts: number;
}

/**
 * Promotes up to `most` of the tenant's waiting deliveries for which there is capacity, and returns them. The caller
 * must enqueue a job for each, which still has to acquire a lease: another attempt may come first.
 */
export function promoteWaiting(
  database: D1Database,
  tenantId: string,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): D1PreparedStatement {
  const now = new Date(nowMs).toISOString();
  return database.prepare(PROMOTE).bind(tenantId, now, overdueAfter(nowMs), most);
}

/** When the job of an attempt that is due at `dueMs` counts as lost. */
export function overdueAfter(dueMs: number): string {
  return new Date(dueMs + WEBHOOK_OVERDUE_MS).toISOString();
}

export function jobsOf(tenantId: string, due: readonly DueDelivery[]): readonly WebhookJob[] {
  const attempts = new Map(due.map(({ id, attempts: made }) => [id, made + 1]));
  return [...attempts].map(([delivery_id, attempt]) => ({
    tenant_id: tenantId,
    delivery_id,
    attempt,
  }));
}
