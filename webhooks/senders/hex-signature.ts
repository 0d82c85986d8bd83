// HMAC-SHA-256 in hex digits, keyed with the characters of a secret, as GitHub, Stripe and Slack sign.
import { MAX_WEBHOOK_SIGNATURES, WEBHOOK_TOLERANCE_MS } from "../../protocol/inbound/limits.ts";
import { SENDER_SECRET_BYTES } from "../../protocol/triggers/limits.ts";
import type { Verification } from "./sender-form.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
const MILLISECONDS = 1_000;

interface Signed {
  readonly secrets: readonly string[];
  /** Of 64 hex digits each. Those of another form fit nothing. */
  readonly signatures: readonly string[];
  readonly content: string;
}

/** Whether one of the signatures is one of the secrets' over the content. */
export async function isSigned({ secrets, signatures, content }: Signed): Promise<boolean> {
  const bytes = new TextEncoder().encode(content);
  const given = signatures.slice(0, MAX_WEBHOOK_SIGNATURES).flatMap((text) => fromHex(text) ?? []);
  const checks = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) =>
      given.map(async (signature) =>
        crypto.subtle.verify("HMAC", await importKey(secret), signature, bytes),
      ),
    );
  return (await Promise.all(checks)).includes(true);
}

/** The verdict about a good signature that covers a time, which may be five minutes away in both directions. */
export function timely(seconds: string, nowMs: number): Verification {
  const distanceMs = Math.abs(nowMs - Number(seconds) * MILLISECONDS);
  return { type: distanceMs <= WEBHOOK_TOLERANCE_MS ? "valid" : "untimely" };
}

/** Unix seconds as senders write them: nothing that a number could be read from in another way. */
export function isSeconds(text: string): boolean {
  return /^\d{1,12}$/.test(text);
}

/** A new secret, in hex digits. */
export function makeHexSecret(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(SENDER_SECRET_BYTES)));
}

/** A secret is used as it is: one with a space at its end would look like another one. */
export function findTextProblem(secret: string): string | null {
  const isText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(secret);
  return isText ? null : "begins or ends with a space, or has a character beyond ASCII";
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function importKey(secret: string) {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), HMAC, false, ["verify"]);
}

/** Null for anything but 64 hex digits, in lower case as all senders write them. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\da-f]{64}$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
