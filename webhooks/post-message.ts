// One request that tells a receiver something: its answer is a status, and nothing of its body is read.
import type { OutgoingFetch } from "../outgoing/outgoing.ts";
import { OutgoingRefused } from "../outgoing/outgoing.ts";

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
 * Never rejects: failures are part of the result.
 * @param outgoing The egress guard; it follows no redirect.
 * @param timeoutMs Milliseconds until the response headers must have arrived.
 */
export async function postMessage(
  { url, headers: sent, body }: OutgoingMessage,
  outgoing: OutgoingFetch,
  timeoutMs: number,
): Promise<WebhookAnswer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await outgoing(url, { method: "POST", headers: sent, body, signal });
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
