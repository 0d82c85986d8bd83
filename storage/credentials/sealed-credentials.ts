import { and, eq } from "drizzle-orm";

import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { credentials, tenantKeys } from "../tables/schema.ts";

/** Secrets of one tenant as D1 has them at one moment: what a session pins of them. */
export interface SealedCredentials {
  /** By credential id. A credential that was deleted is not in it. */
  readonly credentials: Readonly<Record<string, SealedSecret>>;
  /** The hosts that each may be sent to; null for one that has none yet, and for those of sessions from before. */
  readonly credential_hosts?: Readonly<Record<string, readonly string[] | null>>;
  /** The tenant's key that they are sealed with; left out when there are none. */
  readonly tenant_key?: WrappedKey;
}

/** Of `ids` those that there are. No query for none, and else one round trip. */
export async function readSealedCredentials(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<SealedCredentials> {
  if (ids.length === 0) return { credentials: {} };
  const [found, [key]] = await database.batch([
    database
      .select({
        id: credentials.id,
        sealed: credentials.sealed,
        allowed_hosts: credentials.allowed_hosts,
      })
      .from(credentials)
      .where(and(eq(credentials.tenant_id, tenantId), isOneOf(credentials.id, ids))),
    database
      .select({ wrapped: tenantKeys.wrapped })
      .from(tenantKeys)
      .where(eq(tenantKeys.tenant_id, tenantId)),
  ]);
  return {
    credentials: Object.fromEntries(found.map(({ id, sealed }) => [id, sealed])),
    credential_hosts: Object.fromEntries(found.map(({ id, allowed_hosts }) => [id, allowed_hosts])),
    tenant_key: key?.wrapped,
  };
}
