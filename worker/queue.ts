// The consumer of the webhook queue.
import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_FAULT_DELAY_MS } from "../protocol/limits-webhooks.ts";
import type { WebhookJob } from "../storage/webhook-job.ts";
import { deliverWebhook } from "./deliver-webhook.ts";

/** Contract: never rejects. Each message is answered for by itself, so that one slow receiver repeats nobody else's. */
export async function queue(batch: MessageBatch<WebhookJob>, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => take(message, env)));
}

async function take(message: Message<WebhookJob>, env: Env): Promise<void> {
  try {
    const later = await deliverWebhook(env, message.body);
    if (later) message.retry({ delaySeconds: toSeconds(later.againInMs) });
    else message.ack();
  } catch (error) {
    // Whatever stands in it: a job may be none of ours.
    console.warn("a webhook could not be handled", { job: message.body, error: String(error) });
    message.retry({ delaySeconds: toSeconds(WEBHOOK_FAULT_DELAY_MS) });
  }
}

/** At least one, so that nothing turns in circles. */
function toSeconds(delayMs: number): number {
  return Math.max(1, Math.ceil(Math.min(delayMs, MAX_WEBHOOK_DELAY_MS) / 1_000));
}
