// The signature of Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`.
import { decodeBase64 } from "../../protocol/base64.ts";

/** The runtime's `CryptoKey`, whose type name differs between runtimes. */
export type WebhookKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The signed bytes. */
export function webhookContent(
  id: string,
  timestamp: string,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  return content;
}

/**
 * The keys of a secret `whsec_…`, or of several, as a list or separated by spaces.
 *
 * @throws {TypeError} on an invalid secret, which is a configuration error.
 */
export function importWebhookKeys(secret: string | readonly string[]): Promise<WebhookKey[]> {
  const keys = [secret].flat().flatMap((text) => text.trim().split(/\s+/));
  if (keys.length === 0) throw new TypeError("give a secret");
  return Promise.all(keys.map(importKey));
}

function importKey(secret: string): Promise<WebhookKey> {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = decodeBase64(encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "="));
  if (!bytes?.length) throw new TypeError("a secret is whsec_ and base64");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes.slice(), algorithm, false, ["sign", "verify"]);
}
