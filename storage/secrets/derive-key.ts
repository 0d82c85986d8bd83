import { requirePepper } from "./require-pepper.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

type DerivedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Derives an HMAC key for one purpose (domain separation).
 * @param pepper The secret KEY_PEPPER. API keys are hashed with it directly; none of them starts like our labels.
 * @param label `reprise:<purpose>`.
 * @throws Error when the pepper is not set, or too short.
 */
export async function deriveKey(pepper: string, label: `reprise:${string}`): Promise<DerivedKey> {
  requirePepper(pepper);
  const encoder = new TextEncoder();
  const root = await crypto.subtle.importKey("raw", encoder.encode(pepper), HMAC, false, ["sign"]);
  const derived = await crypto.subtle.sign("HMAC", root, encoder.encode(label));
  return crypto.subtle.importKey("raw", derived, HMAC, false, ["sign", "verify"]);
}
