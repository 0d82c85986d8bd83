// An attempt's begin in D1: it is claimed, so that a message that the queue gives twice is sent once. Its end is
// `webhook-outcome.ts`. Plain SQL, because each statement asks what stands in the row.
import { WEBHOOK_LEASE_MS } from "../../protocol/limits/webhooks.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { WebhookJob } from "./webhook-job.ts";
import { releaseLease, MAX_WEBHOOK_ATTEMPTS, acquireLease } from "./webhook-leases.ts";

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

export type DeliveryClaim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** Not due before this moment, or somebody else is at it until then. */
  | { readonly kind: "later"; readonly due_at: string }
  /** It is due and there is no place for it, or the endpoint's circuit is open. It needs no job: it will be called. */
  | { readonly kind: "waiting" }
  /** This attempt was made; the next one may not be in the queue. */
  | { readonly kind: "made"; readonly next: WebhookJob; readonly due_at: string }
  /**
   * Nothing is left to be sent. `disabled` when the platform has disabled the endpoint and nobody was told of it: the
   * attempt that did may have died before it could.
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
  /** These are 1 or 0. */
  readonly waits: number;
  readonly disabled_untold: number | null;
  readonly is_open: number;
  readonly is_made: number;
}

/** One attempt for whoever gets it, and for as long as the lease lasts. One call of D1 in the usual case. */
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
  // Attempts whose machines have died are counted and have no outcome, which is what ends the schedule otherwise.
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
  const isOurs = row.attempts === job.attempt || row.attempts === job.attempt - 1;
  return isOurs ? { kind: "later", due_at: dueAt } : { kind: "over" };
}

function over({
  endpoint_id,
  disabled_at,
  disabled_reason: reason,
  disabled_untold,
}: DeliveryRow): DeliveryClaim {
  const isTold = disabled_untold !== 1;
  if (isTold || disabled_at === null || reason === null || reason === "tenant") {
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
