import type { WrappedKey } from "../secrets/credential-cipher.ts";
import { MasterKeyMissing, openSecret } from "../secrets/credential-cipher.ts";
import type { RotatedSecret } from "../secrets/rotated-secret.ts";
import type { SealedCredentials } from "./sealed-credentials.ts";

/** The encrypted credentials that a session stores with its agent, so that a reply needs no query of D1. */
export interface PinnedCredentials extends Partial<SealedCredentials> {
  readonly tenant_id: string;
}

/** A decrypted credential, and the hosts that it may be sent to; null for any host. */
interface OpenedCredential {
  readonly secret: string;
  readonly allowed_hosts: readonly string[] | null;
}

/**
 * Decrypts the credentials, by id. Empty when the session has none, whatever the master key is; deleted credentials are
 * missing. One that was pinned before credentials had allowed hosts may be sent to any host, as before.
 * @param readTenantKey Called when the pinned data key is encrypted with a retired master key: the tenant's row is
 *   re-encrypted in each rotation. Null when the row is deleted.
 * @throws Error when decryption fails, for example with another master key.
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
