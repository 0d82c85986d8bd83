import { openSecret } from "./credential-cipher.ts";
import type { SealedCredentials } from "./sealed-credentials.ts";

/** What a session keeps of its agent's credentials, so that a reply needs no database. */
export interface PinnedCredentials extends Partial<SealedCredentials> {
  readonly tenant_id: string;
}

/** A credential in the clear, with the hosts that it may be sent to; null when it has none yet. */
interface OpenedCredential {
  readonly secret: string;
  readonly allowed_hosts: readonly string[] | null;
}

/**
 * The credentials by id; empty when the session has none, whatever the master key is. One that was deleted is not in
 * it. One that a version without hosts has pinned may be sent to any, as it could be then.
 * @param masterKey The secret `MASTER_KEY`: 32 bytes in base64.
 * @throws Error when a secret does not open: the master key is another one.
 */
export async function openPinnedCredentials(
  pinned: PinnedCredentials,
  masterKey: string,
): Promise<ReadonlyMap<string, OpenedCredential>> {
  const { tenant_id: tenantId, credentials = {}, credential_hosts, tenant_key } = pinned;
  if (!tenant_key) return new Map();
  const seal = { masterKey, tenantKey: tenant_key, tenantId };
  const opened = Object.entries(credentials).map(
    async ([id, sealed]): Promise<[string, OpenedCredential]> => {
      const secret = await openSecret(sealed, id, seal);
      return [id, { secret, allowed_hosts: credential_hosts?.[id] ?? null }];
    },
  );
  return new Map(await Promise.all(opened));
}
