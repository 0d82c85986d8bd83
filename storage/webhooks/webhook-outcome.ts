// Records the outcome of a delivery attempt in D1: of the delivery, for the endpoint's circuit breaker, and which
// waiting deliveries are promoted. Plain SQL, because each statement depends on the stored row.
import { formatId, ID_RANDOM_BYTES } from "../../protocol/ids.ts";
import {
  CIRCUIT_FAILURES,
  CIRCUIT_RETRY_MS,
  MAX_PROMOTED_DELIVERIES,
  MAX_CIRCUIT_RETRY_MS,
  MAX_CLEARED_DELIVERIES,
  WEBHOOK_FAILING_MS,
  WEBHOOK_KEPT_MS,
} from "../../protocol/webhooks/limits.ts";
import type { ClaimedDelivery, DisabledEndpoint } from "./claim-delivery.ts";
import type { WebhookJob } from "./webhook-job.ts";
import {
  promoteWaiting,
  type DueDelivery,
  jobsOf,
  releaseLease,
  overdueAfter,
} from "./webhook-leases.ts";

/** The result of an attempt. */
export interface AttemptOutcome {
  /** ISO time of its start. */
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** When the next attempt is due unless this one disables the endpoint; null after a success or the last attempt. */
  readonly next_attempt_at: string | null;
  /** The receiver answered 410 Gone. */
  readonly isGone: boolean;
  /** The platform could not send the message; the endpoint's circuit is not affected. */
  readonly isPlatformFault?: true;
}

export interface WebhookOutcome {
  /** Set when this outcome has disabled the endpoint. */
  readonly disabled: DisabledEndpoint | null;
  /** Jobs of waiting deliveries that may run now; the caller must enqueue or execute them. */
  readonly promoted: readonly WebhookJob[];
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const SECOND_MS = 1_000;

/** Whether the failure counts for the circuit breaker: no answer, 429 or 5xx. Other answers show a working receiver. */
function isStrained({ status, error }: AttemptOutcome): boolean {
  return (
    error !== null && (status === null || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR)
  );
}

/** Seconds until an open circuit allows a probe: doubled with each failure after the one that opened it. */
const RETRY_SECONDS = `min(${MAX_CIRCUIT_RETRY_MS / SECOND_MS}, ${CIRCUIT_RETRY_MS / SECOND_MS}
  << min(circuit_failures + 1 - ${CIRCUIT_FAILURES}, 8))`;

/**
 * Updates the circuit breaker; writes the row only when something changes. While the circuit is open, a failed attempt
 * that started before the time of the probe is ignored.
 */
const JUDGE = `UPDATE webhook_endpoints SET failing_since = iif(?3, NULL, coalesce(failing_since, ?4)),
  circuit_failures = iif(?6, circuit_failures + 1, 0),
  circuit_retry_at = iif(?6 AND circuit_failures + 1 >= ${CIRCUIT_FAILURES},
    strftime('%Y-%m-%dT%H:%M:%fZ', ?7, '+' || (${RETRY_SECONDS}) || ' seconds'), NULL)
  WHERE id = ?1 AND tenant_id = ?2 AND url = ?5
  AND ((failing_since IS NULL) <> ?3 OR ?6 OR circuit_failures > 0)
  AND NOT (?6 AND circuit_retry_at IS NOT NULL AND ?4 < circuit_retry_at)`;

/**
 * Writes the outcome of an attempt. If a newer attempt has started, the delivery is not changed; if the endpoint's URL
 * was changed meanwhile, the endpoint is not changed. One call of D1.
 */
export async function finishWebhook(
  database: D1Database,
  { job, endpoint_id, url }: ClaimedDelivery,
  outcome: AttemptOutcome,
): Promise<WebhookOutcome> {
  const { delivery_id, tenant_id, attempt } = job;
  const { at, duration_ms, status, error, next_attempt_at, isGone } = outcome;
  const judgedUrl = outcome.isPlatformFault ? null : url;
  const endMs = Date.parse(at) + duration_ms;
  const end = new Date(endMs).toISOString();
  const state = error === null ? "delivered" : next_attempt_at === null ? "failed" : "pending";
  const failingSince = new Date(endMs - WEBHOOK_FAILING_MS).toISOString();
  const overdueAt = next_attempt_at === null ? null : overdueAfter(Date.parse(next_attempt_at));
  const results = await database.batch<unknown>([
    releaseLease(database, endpoint_id, job),
    database
      .prepare(
        `INSERT OR IGNORE INTO webhook_attempts (delivery_id, attempt, tenant_id, at, status, error, duration_ms)
         SELECT ?1, ?3, ?2, ?4, ?5, ?6, ?7 FROM webhook_deliveries WHERE id = ?1 AND tenant_id = ?2`,
      )
      .bind(delivery_id, tenant_id, attempt, at, status, error, duration_ms),
    database
      .prepare(
        `UPDATE webhook_deliveries
         SET status = ?4, next_attempt_at = ?5, finished_at = ?6, waits = 0, overdue_at = ?7
         WHERE id = ?1 AND tenant_id = ?2 AND attempts = ?3 AND status = 'pending'`,
      )
      .bind(
        delivery_id,
        tenant_id,
        attempt,
        state,
        next_attempt_at,
        state === "pending" ? null : end,
        overdueAt,
      ),
    database
      .prepare(JUDGE)
      .bind(
        endpoint_id,
        tenant_id,
        error === null ? 1 : 0,
        at,
        judgedUrl,
        isStrained(outcome) ? 1 : 0,
        end,
      ),
    database
      .prepare(
        `UPDATE webhook_endpoints
         SET disabled_at = ?3, disabled_reason = iif(?4, 'gone', 'failing'), disabled_untold = 1
         WHERE id = ?1 AND tenant_id = ?2 AND disabled_at IS NULL AND (?4 OR failing_since <= ?5)
         AND url = ?6
         RETURNING disabled_reason`,
      )
      .bind(endpoint_id, tenant_id, end, isGone ? 1 : 0, failingSince, judgedUrl),
    // Fails the other deliveries of an endpoint that was just disabled. CROSS JOIN makes SQLite read the endpoint
    // first; otherwise each attempt would scan all of its deliveries.
    database
      .prepare(
        `UPDATE webhook_deliveries
         SET status = 'failed', next_attempt_at = NULL, waits = 0, overdue_at = NULL, finished_at = ?3
         WHERE id IN (SELECT d.id FROM webhook_endpoints e CROSS JOIN webhook_deliveries d
           WHERE e.id = ?1 AND e.tenant_id = ?2 AND e.disabled_at = ?3
           AND d.tenant_id = ?2 AND d.endpoint_id = ?1 AND d.status = 'pending')`,
      )
      .bind(endpoint_id, tenant_id, end),
    ...clearOld(database, tenant_id, endpoint_id, endMs),
    promoteWaiting(database, tenant_id, { nowMs: endMs, most: MAX_PROMOTED_DELIVERIES }),
  ]);
  const [disabled] = (results[4]?.results ?? []) as {
    readonly disabled_reason: DisabledEndpoint["reason"];
  }[];
  return {
    disabled: disabled ? { reason: disabled.disabled_reason, disabled_at: end } : null,
    promoted: jobsOf(tenant_id, (results.at(-1)?.results ?? []) as DueDelivery[]),
  };
}

interface UnpublishedEndpoint extends DisabledEndpoint {
  readonly endpoint_id: string;
  readonly tenant_id: string;
}

/** Endpoints that the platform has disabled, without a published `webhook_endpoint.disabled`. */
export async function findUnpublishedDisabled(
  database: D1Database,
  most: number,
): Promise<readonly UnpublishedEndpoint[]> {
  const { results } = await database
    .prepare(
      `SELECT id AS endpoint_id, tenant_id, disabled_reason AS reason, disabled_at FROM webhook_endpoints
       WHERE disabled_untold = 1 AND disabled_at IS NOT NULL ORDER BY disabled_at LIMIT ?1`,
    )
    .bind(most)
    .all<UnpublishedEndpoint>();
  return results;
}

/** Records that `webhook_endpoint.disabled` is published for this endpoint. */
export async function markDisabledPublished(
  database: D1Database,
  tenantId: string,
  endpointId: string,
): Promise<void> {
  await database
    .prepare("UPDATE webhook_endpoints SET disabled_untold = 0 WHERE id = ?1 AND tenant_id = ?2")
    .bind(endpointId, tenantId)
    .run();
}

/** Deletes old finished deliveries. Ids start with their time, so those are at one end of the index. */
function clearOld(
  database: D1Database,
  tenantId: string,
  endpointId: string,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const oldestMs = Math.max(0, nowMs - WEBHOOK_KEPT_MS);
  const oldest = formatId("whd", oldestMs, new Uint8Array(ID_RANDOM_BYTES));
  const tooOld = `SELECT id FROM webhook_deliveries WHERE tenant_id = ?1 AND endpoint_id = ?2 AND id < ?3
    AND status <> 'pending' ORDER BY id LIMIT ${MAX_CLEARED_DELIVERIES}`;
  return [
    `DELETE FROM webhook_attempts WHERE delivery_id IN (${tooOld})`,
    `DELETE FROM webhook_deliveries WHERE id IN (${tooOld})`,
  ].map((statement) => database.prepare(statement).bind(tenantId, endpointId, oldest));
}
