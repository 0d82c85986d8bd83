import type { AppContext } from "../app-env.ts";
import { ofSender } from "../requests/sender-of.ts";

const HASH_CHARACTERS = 32;

/**
 * A hash of the request's Idempotency-Key with its sender and its path; null without one. A request whose answer was not kept
 * finds by it what it has made.
 */
export async function requestKeyOf(context: AppContext): Promise<string | null> {
  const idempotency = context.get("idempotency");
  if (!idempotency) return null;
  const key = ofSender(context.get("principal"), idempotency.key);
  const text = new TextEncoder().encode(`${context.req.path}\n${key}`);
  const digest = await crypto.subtle.digest("SHA-256", text);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("").slice(0, HASH_CHARACTERS);
}
