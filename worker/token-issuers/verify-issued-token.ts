// Verifies a JWT against the issuers that a tenant has registered. Everything in the token is the sender's text until
// its signature is verified: it chooses neither the algorithm's kind, nor a key's address, nor the issuer's settings.
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";

import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import { TOKEN_CLOCK_TOLERANCE_SECONDS } from "../../protocol/token-issuers/limits.ts";
import { KeySetUnavailable, type KeySets } from "./key-sets.ts";

/** Signatures with a private key alone: with a shared secret, whoever reads the published keys could sign. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
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
  | { readonly ok: false; readonly detail: string };

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
  let detail = "the token is of no issuer that this agent's tenant has registered";
  for (const issuer of candidates) {
    const rules = {
      algorithms: ALGORITHMS,
      issuer: issuer.issuer,
      audience: issuer.audience ?? resource,
      clockTolerance: TOKEN_CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ["exp"],
    };
    try {
      const payload = await verifyWith(keySets, issuer.jwks_url, (keys) =>
        jwtVerify(token, keys, rules),
      );
      return readPayload(issuer, payload);
    } catch (error) {
      if (error instanceof KeySetUnavailable) throw error;
      detail = describeFailure(error);
    }
  }
  return { ok: false, detail };
}

/** Once with the known keys and, when the token's is not among them, once more after another read of them. */
async function verifyWith(
  keySets: KeySets,
  address: string,
  verify: (keys: JWTVerifyGetKey) => Promise<{ readonly payload: JWTPayload }>,
): Promise<JWTPayload> {
  try {
    return (await verify(await keySets.find(address))).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    const fresh = await keySets.refresh(address);
    if (!fresh) throw error;
    return (await verify(fresh)).payload;
  }
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

/**
 * Says what its client can change, and nothing of the keys. A published key that cannot be used, being too small or no
 * point of its curve, is an error of the runtime's cryptography, and none of the library's.
 */
function describeFailure(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `the token's claim ${error.claim} does not fit`;
  }
  return "the token is not signed with a key of its issuer, or not in a form that is accepted";
}
