// The address of ours to which an agent of another system posts that a task of a call has changed, and the secret that each
// post has to bring. Nothing of either is stored: both follow from KEY_PEPPER, so that what is made up wakes no object.
import { fromBase64Url, toBase64Url } from "../secrets/base64-url.ts";
import { keyPepperOf } from "../secrets/deployment-secrets.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { acceptedValues } from "../secrets/rotated-secret.ts";
import { openToken, signToken, type RemotePushClaims } from "../secrets/signed-token.ts";

type PepperBindings = Parameters<typeof keyPepperOf>[0];

interface RemotePushAddress {
  readonly url: string;
  readonly secret: string;
}

/** The same for the same claims and pepper. @param origin `https://host` of the platform. */
export async function remotePushAddress(
  env: PepperBindings,
  origin: string,
  claims: RemotePushClaims,
): Promise<RemotePushAddress> {
  const { current } = keyPepperOf(env);
  const token = await signToken("remote_push", claims, current);
  const bytes = new TextEncoder().encode(token);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(current), bytes);
  const secret = toBase64Url(new Uint8Array(signature));
  return { url: `${origin}/v1/remote-pushes/${token}`, secret };
}

/** Null unless the token is ours and not expired, and one of the secrets is that of this address: compared in constant time. */
export async function openRemotePush(
  env: PepperBindings,
  token: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<RemotePushClaims | null> {
  const pepper = keyPepperOf(env);
  const opened = await openToken("remote_push", token, pepper, nowMs);
  if (!opened.ok) return null;
  const bytes = new TextEncoder().encode(token);
  for (const secret of secrets) {
    const signature = fromBase64Url(secret);
    if (!signature) continue;
    for (const one of acceptedValues(pepper)) {
      if (await crypto.subtle.verify("HMAC", await keyOf(one), signature, bytes)) {
        return opened.claims;
      }
    }
  }
  return null;
}

function keyOf(pepper: string): ReturnType<typeof deriveKey> {
  return deriveKey(pepper, "reprise:remote-push-secret");
}
