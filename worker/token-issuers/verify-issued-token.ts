// Verifies a JWT against the issuers that a tenant has registered. Everything in the token is the sender's text until
// its signature is verified: it does not choose the issuer's settings.
import { decodeJwt, type JWTPayload } from "jose";

import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import type { KeySets } from "./key-sets.ts";
import { verifyJwt } from "./verify-jwt.ts";

/** As `POST /v1/sessions` takes it. */
const MAX_END_USER_CHARACTERS = 200;

/** The last moment that a `Date` can hold. */
const LATEST_DATE_MS = 8.64e15;

interface IssuedToken {
  readonly issuer: TokenIssuer;
  readonly endUserId: string;
  /** Unix time in milliseconds. */
  readonly expiresAtMs: number;
}

export type VerifiedToken =
  | { readonly ok: true; readonly token: IssuedToken }
  /** `isForeign`: none of the issuers is the one that the token names. */
  | { readonly ok: false; readonly detail: string; readonly isForeign?: true };

/**
 * @param issuers Those of the tenant for the agent, tried in their order.
 * @param resource The address of the endpoint that is asked: the audience of issuers that have none of their own.
 * @throws {KeySetUnavailable} when the keys are not to be had.
 */
export async function verifyIssuedToken(
  token: string,
  issuers: readonly TokenIssuer[],
  resource: string,
  keySets: KeySets,
): Promise<VerifiedToken> {
  const named = issuerOf(token);
  const candidates = issuers.filter(({ issuer }) => issuer === named);
  if (candidates.length === 0) {
    const detail = "the token is of no issuer that this agent's tenant has registered";
    return { ok: false, detail, isForeign: true };
  }
  let detail = "";
  for (const issuer of candidates) {
    const rules = { issuer: issuer.issuer, audience: issuer.audience ?? resource };
    const verified = await verifyJwt(token, issuer.jwks_url, rules, keySets);
    if (verified.ok) return readPayload(issuer, verified.payload);
    ({ detail } = verified);
  }
  return { ok: false, detail };
}

/** The claim `iss` of a token that is not verified yet; undefined for what is no JWT. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function readPayload(issuer: TokenIssuer, payload: JWTPayload): VerifiedToken {
  const claim = Object.hasOwn(payload, issuer.end_user_claim)
    ? payload[issuer.end_user_claim]
    : undefined;
  const endUserId = typeof claim === "string" ? `${issuer.end_user_prefix}${claim}` : "";
  // A lone surrogate has no UTF-8 encoding: different users would be stored under the same id.
  const isId = typeof claim === "string" && claim !== "" && !/\p{Surrogate}/u.test(endUserId);
  if (!isId || endUserId.length > MAX_END_USER_CHARACTERS) {
    const detail = `the token's claim ${issuer.end_user_claim} has no id of an end user`;
    return { ok: false, detail };
  }
  // `requiredClaims` has it.
  const expiresAtMs = Math.min((payload.exp ?? 0) * 1_000, LATEST_DATE_MS);
  return { ok: true, token: { issuer, endUserId, expiresAtMs } };
}
