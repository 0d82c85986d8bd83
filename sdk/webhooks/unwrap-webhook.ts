import { decodeBase64 } from "../../protocol/base64.ts";
import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import { importWebhookKeys, webhookContent, type WebhookKey } from "./webhook-content.ts";
import { WebhookVerificationError } from "./webhook-verification-error.ts";

/** Headers in any runtime's form: `request.headers` of `fetch`, of Node, or a plain object; names in any case. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** Allowed difference between the clocks, in both directions; default 300. */
  readonly toleranceSeconds?: number;
}

/**
 * Verifies signature and timestamp and returns the webhook's event. To process each message once, remember its
 * `webhook-id`: it is the same for all attempts.
 *
 * @param body The raw body: the signature covers its bytes.
 * @param secret `whsec_…`; several, as a list or separated by spaces, during a rotation.
 * @throws {WebhookVerificationError} with the reason.
 */
export async function unwrapWebhook<Event = WebhookEvent>(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: UnwrapOptions = {},
): Promise<Event> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature");
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError(
      "headers_missing",
      "a webhook has an id, a timestamp and a signature",
    );
  }
  const ageSeconds = Date.now() / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : NaN);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const detail = `the timestamp ${timestamp} is not of the last or next ${toleranceSeconds} s`;
    throw new WebhookVerificationError("timestamp_out_of_range", detail);
  }
  if (typeof body !== "string" && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) {
    throw new TypeError("give the body as it came: a parsed one cannot be verified");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const content = webhookContent(id, timestamp, bytes);
  if (!(await isSigned(await importWebhookKeys(secret), content, signatures))) {
    throw new WebhookVerificationError(
      "signature_mismatch",
      "no signature fits the body and a secret",
    );
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  } catch {
    throw new WebhookVerificationError("body_not_json", "the body is signed and no JSON");
  }
}

/** The runtime's `verify` compares in constant time. */
async function isSigned(
  keys: readonly WebhookKey[],
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") && decodeBase64(signature.slice(3));
    // Accepts only the canonical base64: the last character has unused bits.
    if (!bytes || `v1,${btoa(String.fromCharCode(...bytes))}` !== signature) continue;
    for (const key of keys) {
      if (await crypto.subtle.verify("HMAC", key, bytes.slice(), content)) return true;
    }
  }
  return false;
}

function readHeader(headers: WebhookHeaders, name: string): string {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return String(found?.[1] ?? "");
}
