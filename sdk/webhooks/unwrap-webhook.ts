import { decodeBase64 } from "../../protocol/base64.ts";
import type { WebhookEvent } from "../../protocol/api/webhooks/webhook-events.ts";
import { importWebhookKeys, webhookContent, type WebhookKey } from "./webhook-content.ts";
import { WebhookVerificationError } from "./webhook-verification-error.ts";

/** As runtimes give them: `request.headers` of `fetch`, of Node, or a plain object; names in any case. */
export type WebhookHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** How far the sender's clock may be from this one, both ways; default 300. */
  readonly toleranceSeconds?: number;
}

/**
 * The event that a webhook carries, when its signature fits and it is fresh. Whoever must not act twice remembers its
 * `webhook-id`: it stays the same over attempts.
 *
 * @param body As it came, not parsed: the signature is over its bytes.
 * @param secret `whsec_…`; several of them, in a list or with spaces between, while one replaces another.
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

/** The runtime compares, in constant time. */
async function isSigned(
  keys: readonly WebhookKey[],
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") && decodeBase64(signature.slice(3));
    // Of several ways to write the same bytes one is base64: the last character has bits to spare.
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
