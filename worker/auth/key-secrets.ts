// Cryptography of API keys: generation, hashing for storage, comparison with the operator's key.
import type { KeyMode } from "../../protocol/keys/api-key-format.ts";
import { formatApiKey, KEY_RANDOM_BYTES } from "../../protocol/keys/api-key-format.ts";
import { keyIdOf, toHex } from "../../storage/secrets/key-id.ts";
import { requirePepper } from "../../storage/secrets/require-pepper.ts";

export function makeApiKey(mode: KeyMode): string {
  return formatApiKey(mode, crypto.getRandomValues(new Uint8Array(KEY_RANDOM_BYTES)));
}

/**
 * The stored form of a key: `<id of the pepper>:<HMAC-SHA-256 in hex>`. A plain hash would suffice against guessing 160
 * bits; with the pepper, a copy of the table does not tell whether a leaked key is one of ours. The pepper id tells
 * which keys a rotation has not reached yet.
 */
export async function hashApiKey(key: string, pepper: string): Promise<string> {
  const { hmacKey, id } = await importOnce(pepper);
  const signature = await crypto.subtle.sign("HMAC", hmacKey, new TextEncoder().encode(key));
  return `${id}:${toHex(new Uint8Array(signature))}`;
}

/** The hash in the format before peppers had ids. */
export function withoutKeyId(hash: string): string {
  return hash.slice(hash.indexOf(":") + 1);
}

interface ImportedPepper {
  readonly hmacKey: CryptoKey;
  readonly id: string;
}

/** Cache of imported peppers: importing takes as long as signing. Bounded by the number of peppers in a rotation. */
const imported = new Map<string, ImportedPepper>();
const MAX_IMPORTED = 3;

async function importOnce(pepper: string): Promise<ImportedPepper> {
  const known = imported.get(pepper);
  if (known) return known;
  requirePepper(pepper);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(pepper);
  const [hmacKey, id] = await Promise.all([
    crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]),
    keyIdOf(pepper),
  ]);
  if (imported.size >= MAX_IMPORTED) imported.clear();
  imported.set(pepper, { hmacKey, id });
  return { hmacKey, id };
}

/** Compares digests in constant time, so that timing reveals neither content nor length. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [givenDigest, expectedDigest] = await Promise.all([
    crypto.subtle.digest("SHA-256", encoder.encode(given)),
    crypto.subtle.digest("SHA-256", encoder.encode(expected)),
  ]);
  return crypto.subtle.timingSafeEqual(givenDigest, expectedDigest);
}
