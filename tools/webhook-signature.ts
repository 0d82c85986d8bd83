// Signing as Standard Webhooks 1.0 does it: HMAC-SHA-256 over `id.timestamp.body`, with a secret `whsec_<base64>`.
import { decodeBase64, encodeBase64 } from "../protocol/base64.ts";

export interface WebhookMessage {
  /** The same for each attempt; holds no dot, which would let it run into the timestamp. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const SECRET_PREFIX = "whsec_";
/** The standard asks for 24 to 64 bytes; longer secrets are hashed by HMAC anyway. */
const MIN_SECRET_BYTES = 24;

/** The keys of one secret, or of two with a space between them while one replaces the other; null for none. */
export function parseWebhookSecret(secret: string): readonly Uint8Array[] | null {
  const keys = secret.trim().split(/\s+/).map(parseKey);
  return keys.every((key) => key !== null) ? keys : null;
}

/** The value of `webhook-signature`: a `v1,<base64>` for each key, with a space between them. */
export async function signWebhook(
  keys: readonly Uint8Array[],
  { id, timestamp, body }: WebhookMessage,
): Promise<string> {
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = keys.map(async (bytes) => {
    const key = await crypto.subtle.importKey(
      "raw",
      bytes,
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const signature = await crypto.subtle.sign("HMAC", key, content);
    return `v1,${encodeBase64(new Uint8Array(signature))}`;
  });
  return (await Promise.all(signatures)).join(" ");
}

function parseKey(text: string): Uint8Array | null {
  if (!text.startsWith(SECRET_PREFIX)) return null;
  const encoded = text.slice(SECRET_PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const bytes = decodeBase64(encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "="));
  return bytes && bytes.byteLength >= MIN_SECRET_BYTES ? bytes : null;
}
