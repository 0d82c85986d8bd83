// The secrets of a push notification config, sealed with the tenant's key for this place alone.
import type { A2aPushConfig } from "../../protocol/a2a/wire.ts";
import {
  openSecret,
  sealSecret,
  type CredentialSeal,
  type SealedSecret,
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

export async function sealPushSecrets(
  { token, authentication }: Pick<A2aPushConfig, "token" | "authentication">,
  place: PushConfigPlace,
  seal: CredentialSeal,
): Promise<SealedPushSecrets> {
  const credentials = authentication?.credentials;
  return {
    token: token ? await sealSecret(token, labelOf("token", place), seal) : null,
    credentials: credentials
      ? await sealSecret(credentials, labelOf("credentials", place), seal)
      : null,
  };
}

/** @throws Error when they were sealed for another place, or with a key that is gone. */
export async function openPushSecrets(
  { token, credentials }: SealedPushSecrets,
  place: PushConfigPlace,
  seal: CredentialSeal,
): Promise<PushSecrets> {
  return {
    token: token && (await openSecret(token, labelOf("token", place), seal)),
    credentials:
      credentials && (await openSecret(credentials, labelOf("credentials", place), seal)),
  };
}

/** The id of a config, which its client chooses, comes last. */
function labelOf(
  kind: keyof PushSecrets,
  { session_id, reply_id, config_id }: PushConfigPlace,
): string {
  return `a2a_push:${kind}:${session_id}:${reply_id}:${config_id}`;
}
