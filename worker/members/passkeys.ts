// Passkeys (WebAuthn): the options that a browser gets, and what is verified of its answer. User verification is required, and
// attestation is neither asked for nor looked at. docs/decisions/2026-11-29-passkeys.md has why this package.
import type { RegisteredPasskey, SignedPasskey } from "../../protocol/members/passkey.ts";
import { PASSKEY_CHALLENGE_MS } from "../../protocol/members/limits.ts";
import type { SigningMember } from "../../storage/members/session-statements.ts";
import type { StoredPasskey } from "../../storage/members/sign-in-storage.ts";
import { fromBase64Url, toBase64Url } from "../../storage/secrets/base64-url.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { toHex } from "../../storage/secrets/key-id.ts";
import { openToken, signToken } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { newId } from "../new-id.ts";
import { publicOrigin } from "../requests/public-origin.ts";

/** The platform as passkeys know it. */
interface RelyingParty {
  /** The host of `PUBLIC_URL`. */
  readonly id: string;
  readonly origin: string;
}

/** Null where the host is an IP address, which WebAuthn has no passkeys for. */
export function findRelyingParty(context: AppContext): RelyingParty | null {
  const origin = publicOrigin(context);
  const { hostname } = new URL(origin);
  const isAddress = hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname);
  return isAddress ? null : { id: hostname, origin };
}

/** In the place of a tenant's name. */
const OPERATORS_CONSOLE = "operator";

type Use = "register" | "sign_in";

/**
 * A challenge for a passkey: a signed token with its owner, use and end. Nothing is stored when it is made, because it is
 * given to anybody who asks. Base64url, as browsers send it back.
 */
async function makeChallenge({ env }: AppContext, ownerId: string, use: Use): Promise<string> {
  const exp = Date.now() + PASSKEY_CHALLENGE_MS;
  const claims = { tenant_id: ownerId, use, nonce: newId("req"), exp };
  return textToBase64Url(await signToken("passkey_challenge", claims, env.KEY_PEPPER));
}

interface OpenedChallenge {
  readonly text: string;
  /** SHA-256 in hex: it is accepted once. */
  readonly hash: string;
  readonly expiresAt: string;
}

/** The challenge that the answer was made for; null for one that is not ours, not for this, or has expired. */
export async function openChallenge(
  { env }: AppContext,
  clientDataJSON: string,
  wanted: { readonly ownerId: string; readonly use: Use },
): Promise<OpenedChallenge | null> {
  const text = readChallenge(clientDataJSON);
  const token = text === null ? null : fromBase64Url(text);
  if (text === null || token === null) return null;
  const signed = new TextDecoder().decode(token);
  const opened = await openToken("passkey_challenge", signed, keyPepperOf(env), Date.now());
  if (!opened.ok) return null;
  const { tenant_id, use, exp } = opened.claims;
  if (tenant_id !== wanted.ownerId || use !== wanted.use) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { text, hash: toHex(new Uint8Array(digest)), expiresAt: new Date(exp).toISOString() };
}

/** `PublicKeyCredentialCreationOptionsJSON`. A picker of passkeys shows the member's name with whose console it opens. */
export async function registrationOptions(
  context: AppContext,
  party: RelyingParty,
  { id, name, email, owner_id, tenant }: SigningMember,
): Promise<object> {
  const console = tenant?.name ?? OPERATORS_CONSOLE;
  return {
    rp: { id: party.id, name: "Reprise" },
    user: {
      id: textToBase64Url(id),
      name: `${email ?? name} · ${console}`,
      displayName: `${name} · ${console}`,
    },
    challenge: await makeChallenge(context, owner_id, "register"),
    // ES256, EdDSA, RS256.
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
    timeout: PASSKEY_CHALLENGE_MS,
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/** `PublicKeyCredentialRequestOptionsJSON`: of no member, so that the answer tells nobody who is one. */
export async function signInOptions(
  context: AppContext,
  party: RelyingParty,
  ownerId: string,
): Promise<object> {
  return {
    rpId: party.id,
    challenge: await makeChallenge(context, ownerId, "sign_in"),
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: [],
  };
}

/** Null for what does not verify. Contract: never rejects for what a browser sends. */
export async function verifyRegistration(
  party: RelyingParty,
  passkey: RegisteredPasskey,
  challenge: OpenedChallenge,
): Promise<StoredPasskey | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...passkey, clientExtensionResults: {} },
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, public_key: toBase64Url(publicKey), counter };
  } catch {
    return null;
  }
}

/** The new count of signatures; null for what does not verify. Contract: never rejects for what a browser sends. */
export async function verifySignIn(
  party: RelyingParty,
  signed: SignedPasskey,
  challenge: OpenedChallenge,
  passkey: StoredPasskey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { userHandle, ...response } = signed.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...signed,
        response: { ...response, ...(userHandle != null && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.text,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.id,
        publicKey: fromBase64Url(passkey.public_key) ?? new Uint8Array(),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/**
 * A passkey that nobody has, whose private part was thrown away: an unknown one is verified against it, so that the answer
 * takes as long as that to a wrong signature.
 */
export const NOBODYS_PASSKEY: StoredPasskey = {
  id: "nobody",
  public_key:
    "pQECAyYgASFYINek86hUUJ7Io4v4m89dt7kZiE_MtZbS1HueU5S88-ayIlggTGN5bT_ji3LnVcIWaR5ZbSdupKMPGCOBsBvVxFCotlA",
  counter: 0,
};

/** Evaluated with the first use in an isolate: its start takes 60 ms, which no other request waits for. */
function loadWebAuthn() {
  return import("@simplewebauthn/server");
}

function readChallenge(clientDataJSON: string): string | null {
  const bytes = fromBase64Url(clientDataJSON);
  if (bytes === null) return null;
  try {
    const { challenge } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly challenge?: unknown;
    };
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

function textToBase64Url(text: string): string {
  return toBase64Url(new TextEncoder().encode(text));
}
