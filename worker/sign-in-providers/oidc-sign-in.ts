// A person's sign-in at an OpenID provider: authorization code with PKCE S256, state, nonce and `iss` (RFC 9207).
import * as oauth from "oauth4webapi";

import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import {
  MAX_PROVIDER_WORDS_CHARACTERS,
  MAX_SUBJECT_CHARACTERS,
} from "../../protocol/sign-in-providers/limits.ts";
import { clientSecretBasic } from "../../outgoing/oauth/client-secret-basic.ts";
import { looseBodyOf } from "../../outgoing/oauth/loose-body.ts";
import { KeySetUnavailable, type KeySets } from "../token-issuers/key-sets.ts";
import { verifyJwt } from "../token-issuers/verify-jwt.ts";
import { ProviderFailure, type OidcProvider } from "./oidc-provider.ts";

/** Secrets of one sign-in, which its browser keeps until the way back. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
}

/** The platform as a client of a provider. */
interface ProviderClient {
  readonly provider: OidcProvider;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A person, as a provider vouches for them. */
export interface OidcIdentity {
  /** The claim `sub`: the person at this provider, for ever. */
  readonly subject: string;
  /** Null for one that the provider has not verified. */
  readonly verifiedEmail: string | null;
}

/** Begin of a sign-in: the address to which the browser goes, and what it keeps until the way back. */
export async function beginProviderSignIn({
  provider,
  clientId,
  redirectUri,
}: ProviderClient): Promise<{ readonly url: string; readonly secrets: SignInSecrets }> {
  const secrets: SignInSecrets = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    code_verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(provider.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "openid email profile",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.code_verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, secrets };
}

interface ProviderReturn extends ProviderClient {
  readonly secrets: SignInSecrets;
  /** The client's secret; null for a client without one. */
  readonly secret: string | null;
  /** The query with which the browser came back. */
  readonly returned: URLSearchParams;
}

/** @param fetch Bounded in time and bytes, without redirects. @throws {ProviderFailure} */
export async function completeProviderSignIn(
  { provider, clientId, redirectUri, secrets, secret, returned }: ProviderReturn,
  fetch: OutgoingFetch,
  keySets: KeySets,
): Promise<OidcIdentity> {
  const server = { ...provider, token_endpoint_auth_methods_supported: undefined };
  const client = { client_id: clientId };
  const answer = await failing(async () => {
    const parameters = oauth.validateAuthResponse(server, client, returned, secrets.state);
    return oauth.authorizationCodeGrantRequest(
      server,
      client,
      authOf(provider, secret),
      parameters,
      redirectUri,
      secrets.code_verifier,
      {
        [oauth.customFetch]: (url: string, init: RequestInit) => fetch(url, init),
        // The egress guard refuses plain http where it is not allowed.
        [oauth.allowInsecureRequests]: true,
      },
    );
  });
  const body = await looseBodyOf(answer);
  const token = body?.["id_token"];
  // Some answer a refusal with 200.
  if (typeof token !== "string")
    throw new ProviderFailure(refusalOf(answer.status, body?.["error"]));
  return readIdentity(await verified(token, { provider, clientId }, keySets), clientId, secrets);
}

type Claims = Readonly<Record<string, unknown>>;

async function verified(
  token: string,
  { provider, clientId }: Pick<ProviderClient, "provider" | "clientId">,
  keySets: KeySets,
): Promise<Claims> {
  const rules = { issuer: provider.issuer, audience: clientId, requiredClaims: ["sub", "iat"] };
  try {
    const result = await verifyJwt(token, provider.jwks_uri, rules, keySets);
    if (result.ok) return result.payload;
    throw new ProviderFailure(`gave an ID token that does not hold: ${result.detail}`);
  } catch (error) {
    if (!(error instanceof KeySetUnavailable)) throw error;
    throw new ProviderFailure("has keys that cannot be read at the moment");
  }
}

function readIdentity(claims: Claims, clientId: string, { nonce }: SignInSecrets): OidcIdentity {
  if (claims["nonce"] !== nonce) throw new ProviderFailure("gave an ID token of another sign-in");
  // OpenID Connect Core 3.1.3.7: a token for several must have been asked for by this client.
  const { azp } = claims;
  const isForSeveral = Array.isArray(claims["aud"]) && claims["aud"].length > 1;
  if ((azp !== undefined || isForSeveral) && azp !== clientId) {
    throw new ProviderFailure("gave an ID token that another client has asked for");
  }
  const subject = claims["sub"];
  // A lone surrogate has no UTF-8 encoding: different people would be stored under the same name.
  const isSubject =
    typeof subject === "string" && subject !== "" && !/\p{Surrogate}/u.test(subject);
  if (!isSubject || subject.length > MAX_SUBJECT_CHARACTERS) {
    throw new ProviderFailure("gave an ID token without a usable `sub`");
  }
  return { subject, verifiedEmail: verifiedEmailOf(claims) };
}

/**
 * In lower case, as those of members are. Some providers write the claim as a text. An address with characters beyond ASCII is
 * nobody's: some of them become a letter of another address in lower case.
 */
function verifiedEmailOf({ email, email_verified }: Claims): string | null {
  const isVerified = email_verified === true || email_verified === "true";
  const isAddress = typeof email === "string" && /^[\x21-\x7e]+$/.test(email);
  return isVerified && isAddress ? email.toLowerCase() : null;
}

function authOf(provider: OidcProvider, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const methods = provider.token_endpoint_auth_methods_supported;
  const takesBasic = methods.length === 0 || methods.includes("client_secret_basic");
  return takesBasic ? clientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

async function failing(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new ProviderFailure(refusalOf(null, error.error) + wordsOf(error.error_description));
    }
    if (error instanceof oauth.OperationProcessingError) {
      throw new ProviderFailure("sent an answer that is not of this sign-in");
    }
    throw new ProviderFailure("cannot be reached, or did not answer in time");
  }
}

/** The provider's own words to a person whom it has refused, as a text: cut, on one line. */
function wordsOf(description: unknown): string {
  if (typeof description !== "string") return "";
  const text = description.replace(/[\p{C}\s]+/gu, " ").trim();
  const cut =
    text.length > MAX_PROVIDER_WORDS_CHARACTERS
      ? `${text.slice(0, MAX_PROVIDER_WORDS_CHARACTERS)}…`
      : text;
  return cut === "" ? "" : ` (it says: “${cut}”)`;
}

/** @param error A code of RFC 6749; anything else is not repeated, since a person reads it. */
function refusalOf(status: number | null, error: unknown): string {
  const code = typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : null;
  if (code !== null) return `refused the sign-in: ${code}`;
  return status === null ? "refused the sign-in" : `gave no ID token: status ${status}`;
}
