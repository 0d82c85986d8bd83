// Makes one delivery attempt, signed per Standard Webhooks 1.0.
import { WEBHOOK_TIMEOUT_MS } from "../protocol/webhooks/limits.ts";
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import { OutgoingRefused } from "../outgoing/outgoing.ts";
import { parseWebhookSecret, signWebhook } from "./webhook-signature.ts";

export interface WebhookPost {
  readonly url: string;
  /** The `webhook-id`, the same for each attempt. */
  readonly id: string;
  readonly body: string;
  /** One or two secrets, `whsec_…`; the message is signed with each. */
  readonly secrets: readonly string[];
}

export interface WebhookAnswer {
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** The reason that the attempt failed, in a text of ours without content from the receiver; null on success. */
  readonly error: string | null;
  /** The response headers, for `Retry-After`. */
  readonly headers: Headers;
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
  try {
    const response = await outgoing(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Reprise-Webhooks/1.0",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": await signWebhook(keys, { id, timestamp, body }),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The body is not used and may never end, and cancelling it may not end either, so it is not awaited.
    void response.body?.cancel().catch(() => {});
    const { status, headers } = response;
    return { status, headers, error: errorOf(status) };
  } catch (error) {
    return { status: null, headers: new Headers(), error: reasonOf(error, timeoutMs) };
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  if (status === 410) return "answered 410: the receiver is gone for good";
  return `answered ${status}`;
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (OutgoingRefused.isInstance(error)) return error.message;
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? `no answer within ${timeoutMs / 1_000} seconds` : "the connection failed";
}
