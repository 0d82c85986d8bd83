import type { SealedSecret, WrappedKey } from "./credential-cipher.ts";
import { MasterKeyMissing, openSecret } from "./credential-cipher.ts";
import type { RotatedSecret } from "./rotated-secret.ts";

/** What a session keeps of its agent's credentials, so that a reply needs no database. */
export interface PinnedCredentials {
  readonly tenant_id: string;
  readonly credentials?: Readonly<Record<string, SealedSecret>>;
  readonly tenant_key?: WrappedKey;
}

/**
 * The secrets by credential id; empty when the session has none, whatever the master key is. A credential that
 * was deleted before it was pinned is not in it.
 * @param readTenantKey Asked when the pinned key was wrapped by a master key that is gone: the tenant's own row has
 *   followed each rotation since. Null when there is none any more.
 * @throws Error when a secret does not open: the master key is another one.
 */
export async function openPinnedCredentials(
  pinned: PinnedCredentials,
  masterKey: RotatedSecret,
  readTenantKey: () => Promise<WrappedKey | null> = () => Promise.resolve(null),
): Promise<ReadonlyMap<string, string>> {
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
  { tenant_id: tenantId, credentials = {} }: PinnedCredentials,
  masterKey: RotatedSecret,
  tenantKey: WrappedKey,
): Promise<ReadonlyMap<string, string>> {
  const seal = { masterKey, tenantKey, tenantId };
  const opened = Object.entries(credentials).map(
    async ([id, sealed]): Promise<[string, string]> => [id, await openSecret(sealed, id, seal)],
  );
  return new Map(await Promise.all(opened));
}
