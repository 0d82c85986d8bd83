import { decodeBase64 } from "../../protocol/base64.ts";

const KEY_BYTES = 32;

/** The bytes of a private key on P-256; null for a secret that is none. */
export function readCardKey(secret: string): Uint8Array | null {
  const bytes = decodeBase64(secret);
  if (bytes?.byteLength !== KEY_BYTES) return null;
  // Numbers from the order of the curve on begin so, and one in four billion below it: no such secret is made by chance.
  const isTooGreat = bytes.subarray(0, 4).every((byte) => byte === 0xff);
  return isTooGreat || bytes.every((byte) => byte === 0) ? null : bytes;
}
