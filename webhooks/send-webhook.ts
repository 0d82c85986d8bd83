// Makes one delivery attempt, signed per Standard Webhooks 1.0.
import { WEBHOOK_TIMEOUT_MS } from "../protocol/webhooks/limits.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import { postMessage, type WebhookAnswer } from "./post-message.ts";
import { parseWebhookSecret, signWebhook } from "./webhook-signature.ts";

export interface WebhookPost {
  readonly url: string;
  /** The `webhook-id`, the same for each attempt. */
  readonly id: string;
  readonly body: string;
  /** One or two secrets, `whsec_…`; the message is signed with each. */
  readonly secrets: readonly string[];
}

/**
 * Never rejects: failures are part of the result. The response body is not read.
 * @param outgoing The egress guard; it follows no redirect.
 * @param timeoutMs Milliseconds until the response headers must have arrived.
 */
export async function sendWebhook(
  { url, id, body, secrets }: WebhookPost,
  outgoing: OutgoingFetch,
  { nowMs, timeoutMs = WEBHOOK_TIMEOUT_MS }: { nowMs: number; timeoutMs?: number },
): Promise<WebhookAnswer> {
  const timestamp = Math.floor(nowMs / 1_000);
  const keys = secrets.flatMap((secret) => parseWebhookSecret(secret) ?? []);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Reprise-Webhooks/1.0",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signWebhook(keys, { id, timestamp, body }),
  };
  return postMessage({ url, headers, body }, outgoing, timeoutMs);
}
