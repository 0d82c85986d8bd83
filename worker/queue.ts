// The consumer of the platform's queue.
import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_FAULT_DELAY_MS } from "../protocol/limits-webhooks.ts";
import { isRemovalJob, type QueueJob } from "../storage/queue-job.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { finishRemoval } from "./finish-removal.ts";

/** Contract: never rejects. Each message is answered for by itself, so that one slow receiver repeats nobody else's. */
export async function queue(batch: MessageBatch<QueueJob>, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => take(message, env)));
}

async function take(message: Message<QueueJob>, env: Env): Promise<void> {
  try {
    const later = await work(message.body, env);
    if (later) message.retry({ delaySeconds: toSeconds(later.againInMs) });
    else message.ack();
  } catch (error) {
    // Whatever stands in it: a job may be none of ours.
    console.warn("a job could not be handled", { job: message.body, error: String(error) });
    message.retry({ delaySeconds: toSeconds(faultDelayMs(message)) });
  }
}

async function work(job: QueueJob, env: Env): Promise<{ readonly againInMs: number } | null> {
  if (!isRemovalJob(job)) return deliverWebhook(env, job);
  await finishRemoval(env, job);
  return null;
}

/** What is due of webhooks is found in D1 again; a deletion has this job alone, whose tries have to last for long. */
function faultDelayMs({ body, attempts }: Message<QueueJob>): number {
  return isRemovalJob(body) ? WEBHOOK_FAULT_DELAY_MS * 2 ** (attempts - 1) : WEBHOOK_FAULT_DELAY_MS;
}

/** At least one, so that nothing turns in circles. */
function toSeconds(delayMs: number): number {
  return Math.max(1, Math.ceil(Math.min(delayMs, MAX_WEBHOOK_DELAY_MS) / 1_000));
}
