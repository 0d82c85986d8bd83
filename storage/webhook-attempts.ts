// An attempt's two ends in D1: it is claimed, so that a message that the queue gives twice is sent once, and its
// outcome is written. Plain SQL, because each statement asks what stands in the row.
import {
  MAX_CLEARED_DELIVERIES,
  WEBHOOK_FAILING_MS,
  WEBHOOK_KEPT_MS,
  WEBHOOK_LEASE_MS,
} from "../protocol/limits-webhooks.ts";
import { formatId, ID_RANDOM_BYTES } from "../protocol/ids.ts";
import type { SealedSecret, WrappedKey } from "./credential-cipher.ts";
import type { WebhookJob } from "./webhook-job.ts";

export interface ClaimedDelivery {
  readonly job: WebhookJob;
  readonly endpoint_id: string;
  readonly url: string;
  readonly message_id: string;
  readonly payload: string;
  /** Attempts since the schedule began, this one included. */
  readonly attempts_in_run: number;
  readonly sealed: SealedSecret;
  readonly old_sealed: SealedSecret | null;
  readonly old_secret_expires_at: string | null;
  readonly tenant_key: WrappedKey;
}

export type WebhookClaim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** Not due before this moment, or somebody else is at it until then. */
  | { readonly kind: "later"; readonly due_at: string }
  /** This attempt was made; the next one may not be in the queue. */
  | { readonly kind: "made"; readonly next: WebhookJob; readonly due_at: string }
  /**
   * Nothing is left to be sent. `disabled` when the platform has disabled the endpoint: the attempt that did may have
   * died before it could tell of it.
   */
  | {
      readonly kind: "over";
      readonly disabled?: DisabledEndpoint & { readonly endpoint_id: string };
    };

/** How an attempt ended. */
export interface AttemptOutcome {
  /** ISO time of its begin. */
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** When the next one is due unless this one disables the endpoint; null when it arrived or was the last. */
  readonly next_attempt_at: string | null;
  /** The receiver wants nothing any more. */
  readonly isGone: boolean;
}

export interface DisabledEndpoint {
  readonly reason: "gone" | "failing";
  readonly disabled_at: string;
}

const CLAIM = `UPDATE webhook_deliveries SET attempts = ?3, next_attempt_at = ?5
  WHERE id = ?1 AND tenant_id = ?2 AND status = 'pending' AND next_attempt_at <= ?4
  AND (attempts = ?3 - 1 OR (attempts = ?3 AND NOT EXISTS (SELECT 1 FROM webhook_attempts
    WHERE delivery_id = ?1 AND attempt = ?3)))
  AND EXISTS (SELECT 1 FROM webhook_endpoints e
    WHERE e.id = webhook_deliveries.endpoint_id AND e.tenant_id = ?2 AND e.disabled_at IS NULL)
  RETURNING id`;

const READ = `SELECT d.endpoint_id, d.message_id, d.payload, d.status, d.attempts, d.attempts_before,
  d.next_attempt_at, e.url, e.sealed, e.old_sealed, e.old_secret_expires_at, k.wrapped AS tenant_key,
  e.disabled_at, e.disabled_reason, e.id IS NOT NULL AND e.disabled_at IS NULL AS is_open,
  EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.attempt = ?3) AS is_made
  FROM webhook_deliveries d
  LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.tenant_id = d.tenant_id
  LEFT JOIN tenant_keys k ON k.tenant_id = d.tenant_id
  WHERE d.id = ?1 AND d.tenant_id = ?2`;

interface DeliveryRow extends Omit<ClaimedDelivery, "job" | "attempts_in_run"> {
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly attempts_before: number;
  readonly next_attempt_at: string | null;
  readonly disabled_at: string | null;
  readonly disabled_reason: "tenant" | DisabledEndpoint["reason"] | null;
  /** 1 or 0. */
  readonly is_open: number;
  readonly is_made: number;
}

/** One attempt for whoever gets it, and for as long as the lease lasts. One query in the usual case. */
export async function claimWebhook(
  database: D1Database,
  job: WebhookJob,
  nowMs: number,
): Promise<WebhookClaim> {
  const now = new Date(nowMs).toISOString();
  const leaseEnd = new Date(nowMs + WEBHOOK_LEASE_MS).toISOString();
  const place = [job.delivery_id, job.tenant_id, job.attempt] as const;
  const [claimed, read] = await database.batch<unknown>([
    database.prepare(CLAIM).bind(...place, now, leaseEnd),
    database.prepare(READ).bind(...place),
  ]);
  const row = read?.results[0] as DeliveryRow | undefined;
  if (!row) return { kind: "over" };
  if (row.status !== "pending") return over(row);
  if (claimed && claimed.results.length > 0) {
    return { kind: "claimed", delivery: toClaimed(job, row) };
  }
  if (row.is_open === 0) {
    await endWithoutAttempt(database, job, now);
    return over(row);
  }
  const dueAt = row.next_attempt_at ?? now;
  if (row.attempts === job.attempt && row.is_made === 1) {
    return { kind: "made", next: { ...job, attempt: job.attempt + 1 }, due_at: dueAt };
  }
  const isOurs = row.attempts === job.attempt || row.attempts === job.attempt - 1;
  return isOurs ? { kind: "later", due_at: dueAt } : { kind: "over" };
}

function over({ endpoint_id, disabled_at, disabled_reason: reason }: DeliveryRow): WebhookClaim {
  if (disabled_at === null || reason === null || reason === "tenant") return { kind: "over" };
  return { kind: "over", disabled: { endpoint_id, reason, disabled_at } };
}

function toClaimed(job: WebhookJob, row: DeliveryRow): ClaimedDelivery {
  const { endpoint_id, url, message_id, payload, sealed, tenant_key } = row;
  const { old_sealed, old_secret_expires_at, attempts, attempts_before } = row;
  const attempts_in_run = attempts - attempts_before;
  const secrets = { sealed, old_sealed, old_secret_expires_at, tenant_key };
  return { job, endpoint_id, url, message_id, payload, attempts_in_run, ...secrets };
}

async function endWithoutAttempt(
  database: D1Database,
  { delivery_id, tenant_id }: WebhookJob,
  now: string,
): Promise<void> {
  await database
    .prepare(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, finished_at = ?3
       WHERE id = ?1 AND tenant_id = ?2 AND status = 'pending'`,
    )
    .bind(delivery_id, tenant_id, now)
    .run();
}

/**
 * Writes the outcome, and what it means for the endpoint. An attempt that was overtaken leaves the delivery alone, and
 * one at an address that the endpoint no longer has leaves the endpoint alone.
 * @returns how the endpoint was disabled by this, or null.
 */
export async function finishWebhook(
  database: D1Database,
  { job, endpoint_id, url }: ClaimedDelivery,
  outcome: AttemptOutcome,
): Promise<DisabledEndpoint | null> {
  const { delivery_id, tenant_id, attempt } = job;
  const { at, duration_ms, status, error, next_attempt_at, isGone } = outcome;
  const endMs = Date.parse(at) + duration_ms;
  const end = new Date(endMs).toISOString();
  const state = error === null ? "delivered" : next_attempt_at === null ? "failed" : "pending";
  const failingSince = new Date(endMs - WEBHOOK_FAILING_MS).toISOString();
  const results = await database.batch<{ disabled_reason: "gone" | "failing" }>([
    database
      .prepare(
        `INSERT OR IGNORE INTO webhook_attempts (delivery_id, attempt, tenant_id, at, status, error, duration_ms)
         SELECT ?1, ?3, ?2, ?4, ?5, ?6, ?7 FROM webhook_deliveries WHERE id = ?1 AND tenant_id = ?2`,
      )
      .bind(delivery_id, tenant_id, attempt, at, status, error, duration_ms),
    database
      .prepare(
        `UPDATE webhook_deliveries SET status = ?4, next_attempt_at = ?5, finished_at = ?6
         WHERE id = ?1 AND tenant_id = ?2 AND attempts = ?3 AND status = 'pending'`,
      )
      .bind(
        delivery_id,
        tenant_id,
        attempt,
        state,
        next_attempt_at,
        state === "pending" ? null : end,
      ),
    database
      .prepare(
        `UPDATE webhook_endpoints SET failing_since = iif(?3, NULL, coalesce(failing_since, ?4))
         WHERE id = ?1 AND tenant_id = ?2 AND (failing_since IS NULL) <> ?3 AND url = ?5`,
      )
      .bind(endpoint_id, tenant_id, error === null ? 1 : 0, at, url),
    database
      .prepare(
        `UPDATE webhook_endpoints SET disabled_at = ?3, disabled_reason = iif(?4, 'gone', 'failing')
         WHERE id = ?1 AND tenant_id = ?2 AND disabled_at IS NULL AND (?4 OR failing_since <= ?5)
         AND url = ?6
         RETURNING disabled_reason`,
      )
      .bind(endpoint_id, tenant_id, end, isGone ? 1 : 0, failingSince, url),
    // What waits for an endpoint that takes nothing would only be found out one by one.
    database
      .prepare(
        `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, finished_at = ?3
         WHERE tenant_id = ?2 AND endpoint_id = ?1 AND status = 'pending' AND EXISTS (
           SELECT 1 FROM webhook_endpoints WHERE id = ?1 AND disabled_at = ?3)`,
      )
      .bind(endpoint_id, tenant_id, end),
    ...clearOld(database, tenant_id, endpoint_id, endMs),
  ]);
  const [disabled] = results[3]?.results ?? [];
  return disabled ? { reason: disabled.disabled_reason, disabled_at: end } : null;
}

/** Ids begin with their time, so what is too old stands at one end of the index. */
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
