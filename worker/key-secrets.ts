// The cryptography of credentials: making keys, the hash that they are stored under, comparing the operator's.
import type { KeyMode } from "../protocol/api-key-format.ts";
import { formatApiKey, KEY_RANDOM_BYTES } from "../protocol/api-key-format.ts";
import { requirePepper } from "../storage/require-pepper.ts";

export function makeApiKey(mode: KeyMode): string {
  return formatApiKey(mode, crypto.getRandomValues(new Uint8Array(KEY_RANDOM_BYTES)));
}

/**
 * HMAC-SHA-256 in hex. A plain hash would do against guessing 160 bits; the pepper also makes a copy of the
 * table useless for finding out whether a leaked key is one of ours.
 */
export async function hashApiKey(key: string, pepper: string): Promise<string> {
  if (pepper !== imported?.pepper) imported = { pepper, hmacKey: await importPepper(pepper) };
  const { hmacKey } = imported;
  const signature = await crypto.subtle.sign("HMAC", hmacKey, new TextEncoder().encode(key));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** Every request asks for it, and importing takes as long as signing. */
let imported: { readonly pepper: string; readonly hmacKey: CryptoKey } | null = null;

async function importPepper(pepper: string): Promise<CryptoKey> {
  requirePepper(pepper);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(pepper), algorithm, false, [
    "sign",
  ]);
}

/** Compares digests in constant time, so that neither content nor length can be measured. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [givenDigest, expectedDigest] = await Promise.all([
    crypto.subtle.digest("SHA-256", encoder.encode(given)),
    crypto.subtle.digest("SHA-256", encoder.encode(expected)),
  ]);
  return crypto.subtle.timingSafeEqual(givenDigest, expectedDigest);
}
