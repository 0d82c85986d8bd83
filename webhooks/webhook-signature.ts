// Signs and verifies webhooks per Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body` with a secret
// `whsec_<base64>`.
import { decodeBase64, encodeBase64 } from "../protocol/base64.ts";
import {
  MAX_WEBHOOK_SIGNATURES,
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_TOLERANCE_MS,
} from "../protocol/inbound/limits.ts";

export interface SignedContent {
  /** The same for each attempt. Must contain no dot, which separates it from the timestamp in the signed text. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const SECRET_PREFIX = "whsec_";
/** The standard asks for 24 to 64 bytes; longer secrets are hashed by HMAC anyway. */
const MIN_SECRET_BYTES = 24;
/** Milliseconds per second. */
const MILLISECONDS = 1_000;

/** The keys of one secret, or of two separated by a space during a rotation; null for an invalid text. */
export function parseWebhookSecret(secret: string): readonly Uint8Array[] | null {
  const keys = secret.trim().split(/\s+/).map(parseKey);
  return keys.every((key) => key !== null) ? keys : null;
}

/** The value of `webhook-signature`: `v1,<base64>` for each key, separated by spaces. */
export async function signWebhook(
  keys: readonly Uint8Array[],
  { id, timestamp, body }: SignedContent,
): Promise<string> {
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = keys.map(async (bytes) => {
    const signature = await crypto.subtle.sign("HMAC", await importKey(bytes, "sign"), content);
    return `v1,${encodeBase64(new Uint8Array(signature))}`;
  });
  return (await Promise.all(signatures)).join(" ");
}

/** A received webhook: its three headers and its raw body. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/**
 * Whether one of the signatures matches one of the keys, compared in constant time, and the timestamp is within the
 * tolerance. `untimely` is only returned for a valid signature.
 * @param nowMs Unix time in milliseconds.
 */
export async function verifyWebhook(
  keys: readonly Uint8Array[],
  { id, timestamp, signature, body }: ReceivedWebhook,
  nowMs: number,
): Promise<"valid" | "untimely" | "invalid"> {
  if (!/^\d{1,12}$/.test(timestamp) || id === "") return "invalid";
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const given = signature
    .split(" ", MAX_WEBHOOK_SIGNATURES)
    .flatMap((text) => decodeSignature(text) ?? []);
  const checks = keys.flatMap((bytes) =>
    given.map(async (one) =>
      crypto.subtle.verify("HMAC", await importKey(bytes, "verify"), one, content),
    ),
  );
  if (!(await Promise.all(checks)).includes(true)) return "invalid";
  const distanceMs = Math.abs(nowMs - Number(timestamp) * MILLISECONDS);
  return distanceMs <= WEBHOOK_TOLERANCE_MS ? "valid" : "untimely";
}

/** Generates a new secret, `whsec_<base64>`. */
export function makeWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(WEBHOOK_SECRET_BYTES));
  return `${SECRET_PREFIX}${encodeBase64(bytes)}`;
}

function importKey(bytes: Uint8Array, usage: "sign" | "verify") {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, [usage]);
}

/** The bytes of a `v1,<base64>`; null for other versions, wrong lengths and non-canonical base64. */
function decodeSignature(text: string): Uint8Array | null {
  const [, encoded] = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/.exec(text) ?? [];
  return encoded === undefined ? null : decodeBase64(encoded);
}

function parseKey(text: string): Uint8Array | null {
  if (!text.startsWith(SECRET_PREFIX)) return null;
  const encoded = text.slice(SECRET_PREFIX.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const bytes = decodeBase64(encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "="));
  return bytes && bytes.byteLength >= MIN_SECRET_BYTES ? bytes : null;
}
