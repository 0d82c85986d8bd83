// Secrets of the console: one in each sign-in link and in each link of a member, one in the cookie of each session. Stored as HMACs under the pepper.
import { CONSOLE_SECRET_BYTES } from "../../protocol/keys/limits.ts";
import { deriveKey } from "./derive-key.ts";
import { keyIdOf, toHex } from "./key-id.ts";
import { acceptedValues, type RotatedSecret } from "./rotated-secret.ts";

/** Each purpose has its own derived key, so that a link's secret is never accepted as a cookie. */
type ConsolePurpose = "link" | "member_link" | "session";

const PREFIXES = {
  link: "cl_",
  member_link: "ml_",
  session: "cs_",
} as const satisfies Record<ConsolePurpose, string>;

export function makeConsoleSecret(purpose: ConsolePurpose): string {
  const random = crypto.getRandomValues(new Uint8Array(CONSOLE_SECRET_BYTES));
  const text = btoa(String.fromCharCode(...random));
  return PREFIXES[purpose] + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The stored form: `<id of the pepper>:<HMAC-SHA-256 in hex>`. */
export async function hashConsoleSecret(
  purpose: ConsolePurpose,
  secret: string,
  pepper: string,
): Promise<string> {
  const key = await deriveKey(pepper, `reprise:console:${purpose}`);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(secret));
  return `${await keyIdOf(pepper)}:${toHex(new Uint8Array(signature))}`;
}

/** The stored forms under all accepted peppers. */
export function consoleSecretHashes(
  purpose: ConsolePurpose,
  secret: string,
  pepper: RotatedSecret,
): Promise<readonly string[]> {
  return Promise.all(
    acceptedValues(pepper).map((value) => hashConsoleSecret(purpose, secret, value)),
  );
}
