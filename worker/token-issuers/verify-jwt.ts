// Verifies a JWT with an issuer's published keys. Everything in the token is the sender's text until its signature is
// verified: it chooses neither the algorithm's kind, nor a key's address.
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";

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

interface JwtRules {
  /** The claim `iss`, character by character. */
  readonly issuer: string;
  /** Has to be in the claim `aud`. */
  readonly audience: string;
  /** Beside `exp`. */
  readonly requiredClaims?: readonly string[];
}

export type VerifiedJwt =
  | { readonly ok: true; readonly payload: JWTPayload }
  | { readonly ok: false; readonly detail: string };

/**
 * @param keysAddress Of the issuer's key set.
 * @throws {KeySetUnavailable} when the keys are not to be had.
 */
export async function verifyJwt(
  token: string,
  keysAddress: string,
  { issuer, audience, requiredClaims = [] }: JwtRules,
  keySets: KeySets,
): Promise<VerifiedJwt> {
  const rules = {
    algorithms: ALGORITHMS,
    issuer,
    audience,
    clockTolerance: TOKEN_CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ["exp", ...requiredClaims],
  };
  try {
    const payload = await verifyWith(keySets, keysAddress, (keys) => jwtVerify(token, keys, rules));
    return { ok: true, payload };
  } catch (error) {
    if (error instanceof KeySetUnavailable) throw error;
    return { ok: false, detail: describeFailure(error) };
  }
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
