import type { WrappedKey } from "../secrets/credential-cipher.ts";
import { MasterKeyMissing, openSecret } from "../secrets/credential-cipher.ts";
import type { RotatedSecret } from "../secrets/rotated-secret.ts";
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
 * @param readTenantKey Asked when the pinned key was wrapped by a master key that is gone: the tenant's own row has
 *   followed each rotation since. Null when there is none any more.
 * @throws Error when a secret does not open: the master key is another one.
 */
export async function openPinnedCredentials(
  pinned: PinnedCredentials,
  masterKey: RotatedSecret,
  readTenantKey: () => Promise<WrappedKey | null> = () => Promise.resolve(null),
): Promise<ReadonlyMap<string, OpenedCredential>> {
  const { tenant_key } = pinned;
  if (!tenant_key) return new Map();
  try {
    return await openAll(pinned, masterKey, tenant_key);
  } catch (error) {
    if (!MasterKeyMissing.isInstance(error)) throw error;
    const newest = await readTenantKey();
    if (newest === null || newest === tenant_key) throw error;
    return openAll(pinned, masterKey, newest);
  }
}

async function openAll(
  { tenant_id: tenantId, credentials = {}, credential_hosts }: PinnedCredentials,
  masterKey: RotatedSecret,
  tenantKey: WrappedKey,
): Promise<ReadonlyMap<string, OpenedCredential>> {
  const seal = { masterKey, tenantKey, tenantId };
  const opened = Object.entries(credentials).map(
    async ([id, sealed]): Promise<[string, OpenedCredential]> => {
      const secret = await openSecret(sealed, id, seal);
      return [id, { secret, allowed_hosts: credential_hosts?.[id] ?? null }];
    },
  );
  return new Map(await Promise.all(opened));
}
