// Handles one delivery job: claims the attempt and lets it continue after the batch. Receivers may be slow, and must
// not block the consumer.
import {
  ATTEMPTS_IN_A_ROW_MS,
  MAX_ATTEMPTS_IN_A_ROW,
  WEBHOOK_FAULT_DELAY_MS,
} from "../../protocol/webhooks/limits.ts";
import type { ClaimedDelivery } from "../../storage/webhooks/claim-delivery.ts";
import { claimDelivery } from "../../storage/webhooks/claim-delivery.ts";
import type { WebhookJob } from "../../storage/webhooks/webhook-job.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import {
  attemptWebhook,
  type DeliveryBindings,
  enqueueJob,
  publishEndpointDisabled,
} from "./attempt-webhook.ts";

/** The outcome of a job: done, retry later, or attempts that it has begun. */
export type JobOutcome =
  | null
  | { readonly retryInMs: number }
  | { readonly background: () => Promise<void> };

/**
 * Idempotent for repeated deliveries of a job. The job is done when this resolves: attempts that are lost with their
 * machine are in D1 and found by the cron sweep.
 * @throws when D1 or the queue fails; the queue then delivers the job again.
 */
export async function deliverWebhook(env: DeliveryBindings, job: WebhookJob): Promise<JobOutcome> {
  const claim = await claimDelivery(env.DB, job, Date.now());
  switch (claim.kind) {
    case "over":
      if (claim.disabled) await publishEndpointDisabled(env, job.tenant_id, claim.disabled);
      return null;
    case "waiting":
      return null;
    case "later":
      return { retryInMs: Math.max(0, Date.parse(claim.due_at) - Date.now()) };
    case "made":
      await enqueueJob(env, claim.next, Date.parse(claim.due_at) - Date.now());
      return null;
    case "claimed":
      return { background: () => attemptInTurn(env, claim.delivery) };
    default:
      return claim satisfies never;
  }
}

/**
 * Makes the attempt, then those of deliveries that waited for its slot, within the time limit of a run; the remaining
 * ones are enqueued. Contract: never rejects; the cron sweep finds what failed.
 */
async function attemptInTurn(env: DeliveryBindings, first: ClaimedDelivery): Promise<void> {
  const untilMs = Date.now() + ATTEMPTS_IN_A_ROW_MS;
  let delivery: ClaimedDelivery | null = first;
  try {
    for (let left = MAX_ATTEMPTS_IN_A_ROW - 1; delivery; left -= 1) {
      // Sequential: a slot is one attempt at a time.
      const promoted: readonly WebhookJob[] = await attemptWebhook(env, delivery);
      const isLast = left === 0 || Date.now() >= untilMs;
      const next = isLast ? undefined : promoted[0];
      await sendJobs<WebhookJob>(env.WEBHOOK_QUEUE, next ? promoted.slice(1) : promoted);
      const claim = next && (await claimDelivery(env.DB, next, Date.now()));
      delivery = claim?.kind === "claimed" ? claim.delivery : null;
    }
  } catch (error) {
    const { job } = delivery ?? first;
    console.warn("webhooks: delivery attempt failed on our side; will retry", {
      job,
      error: String(error),
    });
    // A new job continues. Without it the cron sweep does, later.
    await enqueueJob(env, job, WEBHOOK_FAULT_DELAY_MS).catch(() => {});
  }
}
