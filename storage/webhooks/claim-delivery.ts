// Claims a delivery attempt in D1, so that a job that the queue delivers twice is attempted once. `webhook-outcome.ts`
// records its outcome. Plain SQL, because each statement depends on the stored row.
import { WEBHOOK_LEASE_MS } from "../../protocol/webhooks/limits.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { WebhookJob } from "./webhook-job.ts";
import { releaseLease, MAX_WEBHOOK_ATTEMPTS, acquireLease } from "./webhook-leases.ts";

export interface ClaimedDelivery {
  readonly job: WebhookJob;
  readonly endpoint_id: string;
  readonly url: string;
  readonly message_id: string;
  readonly payload: string;
  /** Attempts since the schedule started, including this one. */
  readonly attempts_in_run: number;
  readonly sealed: SealedSecret;
  readonly old_sealed: SealedSecret | null;
  readonly old_secret_expires_at: string | null;
  readonly tenant_key: WrappedKey;
}

export type DeliveryClaim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** Not due before this time, or another attempt holds the lease until then. */
  | { readonly kind: "later"; readonly due_at: string }
  /** Due, but the concurrency limit is reached or the endpoint's circuit is open. Needs no job: it will be promoted. */
  | { readonly kind: "waiting" }
  /** The attempt was already made; the job of the next one may be missing in the queue. */
  | { readonly kind: "made"; readonly next: WebhookJob; readonly due_at: string }
  /**
   * The delivery is over. `disabled` when the platform has disabled the endpoint and the event for that is not
   * published yet: the attempt that disabled it may have been interrupted.
   */
  | {
      readonly kind: "over";
      readonly disabled?: DisabledEndpoint & { readonly endpoint_id: string };
    };

export interface DisabledEndpoint {
  readonly reason: "gone" | "failing";
  readonly disabled_at: string;
}

const READ = `SELECT d.endpoint_id, d.message_id, d.payload, d.status, d.attempts, d.attempts_before,
  d.next_attempt_at, e.url, e.sealed, e.old_sealed, e.old_secret_expires_at, k.wrapped AS tenant_key,
  d.waits, e.disabled_at, e.disabled_reason, e.disabled_untold, e.id IS NOT NULL AND e.disabled_at IS NULL AS is_open,
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
  /** The columns from here on are 1 or 0. */
  readonly waits: number;
  readonly disabled_untold: number | null;
  readonly is_open: number;
  readonly is_made: number;
}

/** Claims an attempt for the duration of the lease: one of concurrent calls gets it. Usually one call of D1. */
export async function claimDelivery(
  database: D1Database,
  job: WebhookJob,
  nowMs: number,
): Promise<DeliveryClaim> {
  const now = new Date(nowMs).toISOString();
  const leaseEnd = new Date(nowMs + WEBHOOK_LEASE_MS).toISOString();
  const results = await database.batch<unknown>([
    ...acquireLease(database, job, { now, leaseEnd }),
    database.prepare(READ).bind(job.delivery_id, job.tenant_id, job.attempt),
  ]);
  const row = results.at(-1)?.results[0] as DeliveryRow | undefined;
  if (!row) return { kind: "over" };
  if (row.status !== "pending") return over(row);
  const isClaimed = (results[1]?.results.length ?? 0) > 0;
  // Normally an outcome ends the schedule, but an attempt whose machine has died is counted without one.
  const isSpent = isClaimed && row.attempts - row.attempts_before > MAX_WEBHOOK_ATTEMPTS;
  if (isSpent || row.is_open === 0) {
    await endWithoutAttempt(database, job, row.endpoint_id, now);
    return over(row);
  }
  if (isClaimed) return { kind: "claimed", delivery: toClaimed(job, row) };
  if (row.waits === 1) return { kind: "waiting" };
  const dueAt = row.next_attempt_at ?? now;
  if (row.attempts === job.attempt && row.is_made === 1) {
    return { kind: "made", next: { ...job, attempt: job.attempt + 1 }, due_at: dueAt };
  }
  const isCurrent = row.attempts === job.attempt || row.attempts === job.attempt - 1;
  return isCurrent ? { kind: "later", due_at: dueAt } : { kind: "over" };
}

function over({
  endpoint_id,
  disabled_at,
  disabled_reason: reason,
  disabled_untold,
}: DeliveryRow): DeliveryClaim {
  const isPublished = disabled_untold !== 1;
  if (isPublished || disabled_at === null || reason === null || reason === "tenant") {
    return { kind: "over" };
  }
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
  job: WebhookJob,
  endpointId: string,
  now: string,
): Promise<void> {
  await database.batch([
    database
      .prepare(
        `UPDATE webhook_deliveries
         SET status = 'failed', next_attempt_at = NULL, waits = 0, overdue_at = NULL, finished_at = ?3
         WHERE id = ?1 AND tenant_id = ?2 AND status = 'pending'`,
      )
      .bind(job.delivery_id, job.tenant_id, now),
    releaseLease(database, endpointId, job),
  ]);
}
