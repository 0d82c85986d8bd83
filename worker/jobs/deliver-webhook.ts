// One job of the queue: claim the attempt, and let it go on behind the batch. Receivers answer when they like, and no
// place of the consumer waits for them.
import {
  ATTEMPTS_IN_A_ROW_MS,
  MAX_ATTEMPTS_IN_A_ROW,
  WEBHOOK_FAULT_DELAY_MS,
} from "../../protocol/limits/webhooks.ts";
import type { ClaimedDelivery } from "../../storage/webhooks/claim-webhook.ts";
import { claimWebhook } from "../../storage/webhooks/claim-webhook.ts";
import type { WebhookJob } from "../../storage/webhooks/webhook-job.ts";
import { sendJobs } from "../../storage/webhooks/webhook-publisher.ts";
import {
  attemptWebhook,
  type DeliveryBindings,
  enqueueJob,
  tellOfDisabled,
} from "./attempt-webhook.ts";

/** What is left to do with a job: nothing, to give it again later, or the attempts that it has begun. */
export type TakenJob =
  | null
  | { readonly againInMs: number }
  | { readonly goOn: () => Promise<void> };

/**
 * Whatever the queue gives twice is sent once. The job is done when this has resolved: what its attempts leave behind,
 * should their machine die, stands in D1 and is found by the walk.
 * @throws when D1 or the queue fails; giving the job again makes up for it.
 */
export async function deliverWebhook(env: DeliveryBindings, job: WebhookJob): Promise<TakenJob> {
  const claim = await claimWebhook(env.DB, job, Date.now());
  switch (claim.kind) {
    case "over":
      if (claim.disabled) await tellOfDisabled(env, job.tenant_id, claim.disabled);
      return null;
    case "waiting":
      return null;
    case "later":
      return { againInMs: Math.max(0, Date.parse(claim.due_at) - Date.now()) };
    case "made":
      await enqueueJob(env, claim.next, Date.parse(claim.due_at) - Date.now());
      return null;
    case "claimed":
      return { goOn: () => attemptInTurn(env, claim.delivery) };
    default:
      return claim satisfies never;
  }
}

/**
 * Makes the attempt, and then those of deliveries that have waited for its place, for as long as a run may last; what is
 * called beyond that gets jobs. Contract: never rejects; what fails is found by the walk.
 */
async function attemptInTurn(env: DeliveryBindings, first: ClaimedDelivery): Promise<void> {
  const untilMs = Date.now() + ATTEMPTS_IN_A_ROW_MS;
  let delivery: ClaimedDelivery | null = first;
  try {
    for (let left = MAX_ATTEMPTS_IN_A_ROW - 1; delivery; left -= 1) {
      // One after the other: that is what a place is.
      // oxlint-disable no-await-in-loop
      const called: readonly WebhookJob[] = await attemptWebhook(env, delivery);
      const isLast = left === 0 || Date.now() >= untilMs;
      const next = isLast ? undefined : called[0];
      await sendJobs<WebhookJob>(env.WEBHOOK_QUEUE, next ? called.slice(1) : called);
      const claim = next && (await claimWebhook(env.DB, next, Date.now()));
      delivery = claim?.kind === "claimed" ? claim.delivery : null;
      // oxlint-enable no-await-in-loop
    }
  } catch (error) {
    const { job } = delivery ?? first;
    console.warn("an attempt did not come to its end", { job, error: String(error) });
    // The job finds what is left to do. Without it the walk does, later.
    await enqueueJob(env, job, WEBHOOK_FAULT_DELAY_MS).catch(() => {});
  }
}
