// The cryptography of credentials: making keys, the hash that they are stored under, comparing the operator's.
import type { KeyMode } from "../../protocol/api-key-format.ts";
import { formatApiKey, KEY_RANDOM_BYTES } from "../../protocol/api-key-format.ts";
import { keyIdOf, toHex } from "../../storage/secrets/key-id.ts";
import { requirePepper } from "../../storage/secrets/require-pepper.ts";

export function makeApiKey(mode: KeyMode): string {
  return formatApiKey(mode, crypto.getRandomValues(new Uint8Array(KEY_RANDOM_BYTES)));
}

/**
 * What a key is stored as: `<id of the pepper>:<HMAC-SHA-256 in hex>`. A plain hash would do against guessing 160 bits;
 * the pepper also makes a copy of the table useless for finding out whether a leaked key is one of ours. Its id tells
 * which keys a rotation of the pepper has not reached yet.
 */
export async function hashApiKey(key: string, pepper: string): Promise<string> {
  const { hmacKey, id } = await importOnce(pepper);
  const signature = await crypto.subtle.sign("HMAC", hmacKey, new TextEncoder().encode(key));
  return `${id}:${toHex(new Uint8Array(signature))}`;
}

/** As {@link hashApiKey} wrote it before peppers had ids. */
export function withoutKeyId(hash: string): string {
  return hash.slice(hash.indexOf(":") + 1);
}

interface ImportedPepper {
  readonly hmacKey: CryptoKey;
  readonly id: string;
}

/** Every request asks for it, and importing takes as long as signing. As many as a rotation has. */
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

/** Compares digests in constant time, so that neither content nor length can be measured. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [givenDigest, expectedDigest] = await Promise.all([
    crypto.subtle.digest("SHA-256", encoder.encode(given)),
    crypto.subtle.digest("SHA-256", encoder.encode(expected)),
  ]);
  return crypto.subtle.timingSafeEqual(givenDigest, expectedDigest);
}
