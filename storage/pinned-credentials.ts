import type { SealedSecret, WrappedKey } from "./credential-cipher.ts";
import { openSecret } from "./credential-cipher.ts";

/** What a session keeps of its agent's credentials, so that a reply needs no database. */
export interface PinnedCredentials {
  readonly tenant_id: string;
  readonly credentials?: Readonly<Record<string, SealedSecret>>;
  readonly tenant_key?: WrappedKey;
}

/**
 * The secrets by credential id; empty when the session has none, whatever the master key is. A credential that
 * was deleted before it was pinned is not in it.
 * @param masterKey The secret `MASTER_KEY`: 32 bytes in base64.
 * @throws Error when a secret does not open: the master key is another one.
 */
export async function openPinnedCredentials(
  pinned: PinnedCredentials,
  masterKey: string,
): Promise<ReadonlyMap<string, string>> {
  const { tenant_id: tenantId, credentials = {}, tenant_key: tenantKey } = pinned;
  if (!tenantKey) return new Map();
  const seal = { masterKey, tenantKey, tenantId };
  const opened = Object.entries(credentials).map(
    async ([id, sealed]): Promise<[string, string]> => [id, await openSecret(sealed, id, seal)],
  );
  return new Map(await Promise.all(opened));
}
