// Releases a credential's secret only for a URL on one of its allowed hosts.
import { hostOf, isHostAllowed } from "./allowed-hosts.ts";

/** A decrypted credential. */
export interface OpenedCredential {
  readonly secret: string;
  /** Null for a credential older than this field. */
  readonly allowed_hosts: readonly string[] | null;
}

type SecretGrant =
  | { readonly ok: true; readonly secret: string }
  /** The problem, worded to follow the credential's id. It contains no secret. */
  | { readonly ok: false; readonly type: "setup" | "internal"; readonly problem: string };

/** The secret of a credential for a request to `address`; contract: never throws. */
export type SecretSource = (credentialId: string, address: string) => SecretGrant;

/** @param credentials By id; null when they could not be confirmed with D1 for too long. */
export function createSecretSource(
  credentials: ReadonlyMap<string, OpenedCredential> | null,
): SecretSource {
  return (credentialId, address) => {
    if (!credentials) return UNCONFIRMED;
    const credential = credentials.get(credentialId);
    if (!credential) return refuse("was deleted; nothing was sent");
    if (!isHostAllowed(address, credential.allowed_hosts)) {
      return refuse(`may not be sent to ${hostOf(address)}; its allowed_hosts say where it may`);
    }
    return { ok: true, secret: credential.secret };
  };
}

const UNCONFIRMED: SecretGrant = {
  ok: false,
  type: "internal",
  problem: "could not be confirmed for an hour, so it is not used; try again later",
};

function refuse(problem: string): SecretGrant {
  return { ok: false, type: "setup", problem };
}
