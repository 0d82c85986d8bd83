// Signed tokens that contain their own claims (HMAC): `<prefix>_<key id>.<payload>.<signature>`, the last two in
// base64url, the payload JSON. The key id names the pepper used. Nothing is stored; minting and verifying need only
// KEY_PEPPER.
import type { Verb } from "../../protocol/client-tokens/contract.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { RoomVerb } from "../../protocol/rooms/room-tokens.ts";
import { fromBase64Url, toBase64Url } from "./base64-url.ts";
import { deriveKey } from "./derive-key.ts";
import { keyIdOf } from "./key-id.ts";
import { requirePepper } from "./require-pepper.ts";
import { acceptedValues, type RotatedSecret } from "./rotated-secret.ts";

/** Claims of a client token: one session, some verbs. */
export interface ClientTokenClaims {
  readonly token_id: string;
  readonly tenant_id: string;
  readonly session_id: string;
  readonly verbs: readonly Verb[];
  /** Origins that may use it; null for any. */
  readonly allowed_origins: readonly string[] | null;
  /** The API key that minted it; missing in tokens of older releases. */
  readonly key_id?: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of a room's client token: one room, some verbs, one participant. */
export interface RoomTokenClaims {
  readonly token_id: string;
  readonly tenant_id: string;
  readonly room_id: string;
  /** The person as whom it speaks; null for nobody. */
  readonly participant: string | null;
  readonly verbs: readonly RoomVerb[];
  /** Origins that may use it; null for any. */
  readonly allowed_origins: readonly string[] | null;
  /** The API key that minted it. */
  readonly key_id: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of a stream ticket: one stream of a client token, of a session or a room, with which it expires. */
export type TicketClaims = (ClientTokenClaims | RoomTokenClaims) & {
  /** The hash of the stream's URL without the reader's position. */
  readonly stream: string;
};

/** Claims of a callback URL in an outgoing webhook: some calls of one reply. */
export interface CallbackClaims {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly tool_call_ids: readonly string[];
  /**
   * The kind of answer that the calls waited for when they were announced: a URL for confirmations does not accept a
   * result later.
   */
  readonly kind: PendingCall["kind"];
  /** Whether it may allow a call with a changed input; omitted when not. */
  readonly may_edit?: true;
  /** Id of the webhook message that contained the URL. */
  readonly message_id: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of the address to which the result of one call of a tool may be posted. */
export interface TaskCallbackClaims {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly task_id: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of the address to which an agent of another system posts that its task for a call has changed. */
export interface RemotePushClaims {
  readonly tenant_id: string;
  readonly session_id: string;
  /** That of the address, as the call keeps it. */
  readonly push_id: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of the address to which the sender of a trigger's webhook posts. The trigger is what ends it. */
export interface TriggerAddressClaims {
  readonly tenant_id: string;
  readonly trigger_id: string;
  /** The moment from which it is refused, in Unix milliseconds: the last one that there is. */
  readonly exp: number;
}

/** Claims of a link to a file's content. */
interface FileLinkClaims {
  readonly tenant_id: string;
  readonly file_id: string;
  /** The session of the client token that made it: the link works while that session names the file. */
  readonly session_id?: string;
  /** The id of that client token: the link ends when it is revoked. Missing in links of older releases. */
  readonly token_id?: string;
  /** The API key that made it, or the client token. */
  readonly key_id?: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of a console's access token. What it may do is read from its session. */
export interface ConsoleTokenClaims {
  readonly console_session_id: string;
  /** Null for the operator's console. */
  readonly tenant_id: string | null;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of a challenge for a passkey: it is valid for one console, and for one purpose. */
interface PasskeyChallengeClaims {
  /** Whose members: a tenant's id, or `OPERATOR_ROWS`. */
  readonly tenant_id: string;
  readonly use: "register" | "sign_in";
  /** Makes each challenge another one. */
  readonly nonce: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of a sign-in at a provider that is under way. */
export interface SignInStateClaims {
  /** Whose members: a tenant's id, or `OPERATOR_ROWS`. */
  readonly tenant_id: string;
  readonly provider_id: string;
  /** Hash of the secret of the member's link that is used; null for a sign-in without one. */
  readonly link_hash: string | null;
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

/** Claims of the state that a call over MCP gives to its client, to be sent back with answers. */
interface McpRequestStateClaims {
  readonly tenant_id: string;
  readonly agent_id: string;
  /** Null for a call with an API key. */
  readonly end_user_id: string | null;
  readonly session_id: string;
  readonly reply_id: string;
  /** The calls that were asked about, with the hash of the input that was shown. */
  readonly calls: readonly {
    readonly id: string;
    readonly kind: PendingCall["kind"];
    readonly hash: string | null;
  }[];
  /** The moment from which it is refused, in Unix milliseconds. */
  readonly exp: number;
}

interface Claims {
  readonly console_token: ConsoleTokenClaims;
  readonly passkey_challenge: PasskeyChallengeClaims;
  readonly sign_in_state: SignInStateClaims;
  readonly client_token: ClientTokenClaims;
  readonly room_token: RoomTokenClaims;
  readonly callback: CallbackClaims;
  readonly task_callback: TaskCallbackClaims;
  readonly remote_push: RemotePushClaims;
  readonly trigger_address: TriggerAddressClaims;
  readonly stream_ticket: TicketClaims;
  readonly file_link: FileLinkClaims;
  readonly mcp_request_state: McpRequestStateClaims;
}
/** Each purpose has its own derived key, so that no token is valid as one of another kind. */
export type TokenPurpose = keyof Claims;

export type OpenedToken<Purpose extends TokenPurpose> =
  | { readonly ok: true; readonly claims: Claims[Purpose] }
  | { readonly ok: false; readonly reason: "invalid" | "expired" };

const PREFIXES = {
  console_token: "ct_",
  passkey_challenge: "pc_",
  sign_in_state: "ss_",
  client_token: "rt_",
  room_token: "rm_",
  callback: "cb_",
  task_callback: "tc_",
  remote_push: "rp_",
  trigger_address: "tw_",
  stream_ticket: "tk_",
  file_link: "fl_",
  mcp_request_state: "ms_",
} as const satisfies Record<TokenPurpose, string>;
/** The signed text, with an optional key id, and the signature. A payload contains no dot. */
const FORM = /^((?:([\da-f]{8})\.)?([\w-]+))\.([\w-]+)$/;

/** @param pepper The secret KEY_PEPPER, from which the signing key is derived. */
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
 * Verifies a token and returns its claims. The signature is compared in constant time; malformed tokens are `invalid`,
 * and `expired` is only returned for a valid signature. A token without a key id, from an older release, is verified
 * with all accepted peppers.
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
  // Only the canonical base64 of a signature is accepted: unused bits would allow other spellings.
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

/** Only for a payload whose signature is valid. Null for one without an expiry, from an older release. */
function parseClaims<Purpose extends TokenPurpose>(payload: string): Claims[Purpose] | null {
  const bytes = fromBase64Url(payload);
  if (!bytes) return null;
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Claims[Purpose];
  return typeof claims.exp === "number" ? claims : null;
}

function keyOf(purpose: TokenPurpose, pepper: string): ReturnType<typeof deriveKey> {
  return deriveKey(pepper, `reprise:signed-token:${purpose}`);
}
