import { requirePepper } from "./require-pepper.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

type DerivedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * A key for HMAC that is good for one purpose: what was made with it says nothing of what another one would make.
 * @param pepper The secret KEY_PEPPER. API keys are hashed under it as it is; none of them begins as our labels do.
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
