// Tokens that carry what they allow, signed so that nobody else can write one:
// `<prefix>_<key id>.<payload>.<signature>`, the last two base64url, the payload JSON. The key id tells which pepper has
// signed. Nothing is stored; whoever holds KEY_PEPPER can mint and check them.
import type { Verb } from "../../protocol/api/client-tokens.ts";
import type { PendingCall } from "../../protocol/api/replies.ts";
import { deriveKey } from "./derive-key.ts";
import { keyIdOf } from "./key-id.ts";
import { requirePepper } from "./require-pepper.ts";
import { acceptedValues, type RotatedSecret } from "./rotated-secret.ts";

/** What a client token says: one session, some verbs. */
export interface ClientTokenClaims {
  readonly token_id: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly verbs: readonly Verb[];
  /** Origins of the pages that may use it; null for any. */
  readonly allowed_origins: readonly string[] | null;
  /** The API key that minted it; left out in tokens from before this was kept. */
  readonly key_id?: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** What a stream ticket says: one stream, for a client token that it ends with. */
export interface TicketClaims extends ClientTokenClaims {
  /** The hash of the stream's address, without the reader's position in it. */
  readonly stream: string;
}

/** What the address in an outgoing webhook says: some calls of one reply. */
export interface CallbackClaims {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly tool_call_ids: readonly string[];
  /** What they waited for when they were announced: who is asked for a yes is not asked for the result after it. */
  readonly kind: PendingCall["kind"];
  /** May allow a call with another input; left out when not, as in addresses from before there was such a right. */
  readonly may_edit?: true;
  /** The webhook's message that carried the address. */
  readonly message_id: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

interface Claims {
  readonly client_token: ClientTokenClaims;
  readonly callback: CallbackClaims;
  readonly stream_ticket: TicketClaims;
}
/** What a token is for. Each has a key of its own, so that no token passes for one of another kind. */
export type TokenPurpose = keyof Claims;

export type OpenedToken<Purpose extends TokenPurpose> =
  | { readonly ok: true; readonly claims: Claims[Purpose] }
  | { readonly ok: false; readonly reason: "invalid" | "expired" };

const PREFIXES = {
  client_token: "rt_",
  callback: "cb_",
  stream_ticket: "tk_",
} as const satisfies Record<TokenPurpose, string>;
/** What is signed, which may begin with a key's id, and the signature. A payload has no dot. */
const FORM = /^((?:([\da-f]{8})\.)?([\w-]+))\.([\w-]+)$/;

/** @param pepper The secret KEY_PEPPER; the key of the purpose is derived from it. */
export async function signToken<Purpose extends TokenPurpose>(
  purpose: Purpose,
  claims: Claims[Purpose],
  pepper: string,
): Promise<string> {
  const payload = toBase64Url(new TextEncoder().encode(JSON.stringify(claims)));
  const key = await keyOf(purpose, pepper);
  const signed = `${await keyIdOf(pepper)}.${payload}`;
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed));
  return `${PREFIXES[purpose]}${signed}.${toBase64Url(new Uint8Array(signature))}`;
}

/**
 * What the token says, once its signature fits and its time has not passed. Compared in constant time; garbage of
 * any kind is `invalid`. Only who holds a valid signature learns that a token has expired. One from before there were
 * key ids may be signed with any of the peppers.
 * @throws Error when a pepper is not set, or too short.
 */
export async function openToken<Purpose extends TokenPurpose>(
  purpose: Purpose,
  token: string,
  pepper: RotatedSecret,
  nowMs: number,
): Promise<OpenedToken<Purpose>> {
  requirePepper(pepper.current);
  const prefix = PREFIXES[purpose];
  const [, signed, keyId, payload, signature] = token.startsWith(prefix)
    ? (FORM.exec(token.slice(prefix.length)) ?? [])
    : [];
  if (signed === undefined || payload === undefined || signature === undefined) return INVALID;
  const bytes = fromBase64Url(signature);
  // Base64 may leave bits over: a second spelling of the same signature is none.
  if (bytes === null || toBase64Url(bytes) !== signature) return INVALID;
  const peppers = await findPeppers(pepper, keyId);
  const verdicts = peppers.map(async (one) =>
    crypto.subtle.verify(
      "HMAC",
      await keyOf(purpose, one),
      bytes,
      new TextEncoder().encode(signed),
    ),
  );
  if (!(await Promise.all(verdicts)).includes(true)) return INVALID;
  const claims = parseClaims<Purpose>(payload);
  if (!claims) return INVALID;
  return claims.exp > nowMs ? { ok: true, claims } : { ok: false, reason: "expired" };
}

const INVALID = { ok: false, reason: "invalid" } as const;

async function findPeppers(
  pepper: RotatedSecret,
  keyId: string | undefined,
): Promise<readonly string[]> {
  const values = acceptedValues(pepper);
  if (keyId === undefined) return values;
  const ids = await Promise.all(values.map(keyIdOf));
  return values.filter((_, index) => ids[index] === keyId);
}

/** The payload is ours once the signature fits. Null for one that an older release wrote without an expiry. */
function parseClaims<Purpose extends TokenPurpose>(payload: string): Claims[Purpose] | null {
  const bytes = fromBase64Url(payload);
  if (!bytes) return null;
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Claims[Purpose];
  return typeof claims.exp === "number" ? claims : null;
}

function keyOf(purpose: TokenPurpose, pepper: string): ReturnType<typeof deriveKey> {
  return deriveKey(pepper, `reprise:signed-token:${purpose}`);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
