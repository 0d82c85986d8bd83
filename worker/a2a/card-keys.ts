// The keys that sign cards: P-256 (ES256), from secrets of 32 bytes each. Those of a rotation sign beside the current one.
import { calculateJwkThumbprint, type JWK } from "jose";

import { readCardKey } from "../../storage/secrets/card-key.ts";
import { cardKeyOf, type CardKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { acceptedValues } from "../../storage/secrets/rotated-secret.ts";

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface CardKey {
  readonly key: SigningKey;
  readonly kid: string;
  /** Without the private part. */
  readonly public_jwk: JWK;
}

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;
/** The DER of PKCS #8 before the 32 bytes of a key on P-256. */
const PKCS8_START = [
  0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
  0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01,
  0x01, 0x04, 0x20,
] as const;

/** By secret: a key costs a multiplication on the curve. As many as a deployment's rotations. */
const opened = new Map<string, Promise<CardKey>>();

/** The keys, the current one first; none where the deployment has no such secret. */
export function cardKeys(env: CardKeyBindings): Promise<readonly CardKey[]> {
  const secret = cardKeyOf(env);
  return Promise.all((secret ? acceptedValues(secret) : []).map(openOnce));
}

function openOnce(secret: string): Promise<CardKey> {
  const known = opened.get(secret) ?? openKey(secret);
  opened.set(secret, known);
  return known;
}

/** @throws for a secret that is no private key of the curve, which `/readyz` names. */
async function openKey(secret: string): Promise<CardKey> {
  const pkcs8 = new Uint8Array([...PKCS8_START, ...(readCardKey(secret) ?? [])]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, P256, true, ["sign"]);
  const { kty, crv, x, y } = (await crypto.subtle.exportKey("jwk", key)) as JWK;
  const jwk = { kty, crv, x, y } as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { key, kid, public_jwk: { ...jwk, kid, alg: "ES256", use: "sig" } };
}
