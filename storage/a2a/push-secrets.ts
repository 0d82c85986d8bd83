// The secrets of a push notification config, sealed with the tenant's key for this place alone.
import type { A2aPushConfig } from "../../protocol/a2a/wire.ts";
import {
  openSecret,
  sealSecret,
  type CredentialSeal,
  type SealedSecret,
  type WrappedKey,
} from "../secrets/credential-cipher.ts";

interface PushConfigPlace {
  readonly session_id: string;
  readonly reply_id: string;
  readonly config_id: string;
}

interface SealedPushSecrets {
  readonly token: SealedSecret | null;
  readonly credentials: SealedSecret | null;
}

interface PushSecrets {
  readonly token: string | null;
  readonly credentials: string | null;
}

/** @param readSeal Asked where there is a secret. */
export async function sealPushSecrets(
  { token, authentication }: Pick<A2aPushConfig, "token" | "authentication">,
  place: PushConfigPlace,
  readSeal: () => Promise<CredentialSeal>,
): Promise<SealedPushSecrets> {
  const credentials = authentication?.credentials;
  if (!token && !credentials) return { token: null, credentials: null };
  const seal = await readSeal();
  const sealed = (kind: keyof PushSecrets, secret: string | undefined) =>
    secret ? sealSecret(secret, labelOf(kind, place), seal) : null;
  return {
    token: await sealed("token", token),
    credentials: await sealed("credentials", credentials),
  };
}

/** @throws Error when they were sealed for another place, or with a key that is gone. */
export async function openPushSecrets(
  { token, credentials }: SealedPushSecrets,
  place: PushConfigPlace,
  seal: Omit<CredentialSeal, "tenantKey"> & { readonly tenantKey: WrappedKey | null },
): Promise<PushSecrets> {
  const { tenantKey } = seal;
  if (token === null && credentials === null) return { token, credentials };
  if (tenantKey === null) throw new Error("the tenant has no data key");
  const opened = (kind: keyof PushSecrets, secret: SealedSecret | null) =>
    secret && openSecret(secret, labelOf(kind, place), { ...seal, tenantKey });
  return {
    token: await opened("token", token),
    credentials: await opened("credentials", credentials),
  };
}

/** The id of a config, which its client chooses, comes last. */
function labelOf(
  kind: keyof PushSecrets,
  { session_id, reply_id, config_id }: PushConfigPlace,
): string {
  return `a2a_push:${kind}:${session_id}:${reply_id}:${config_id}`;
}
