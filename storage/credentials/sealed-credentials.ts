import { and, eq } from "drizzle-orm";

import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { credentials, tenantKeys } from "./table.ts";

/** Encrypted credentials of one tenant, read at one moment: the part of them that a session pins. */
export interface SealedCredentials {
  /** By credential id, without deleted ones. */
  readonly credentials: Readonly<Record<string, SealedSecret>>;
  /** Allowed hosts by credential id; null for any host. Missing in sessions that pinned before hosts existed. */
  readonly credential_hosts?: Readonly<Record<string, readonly string[] | null>>;
  /** The tenant's data key, itself encrypted; omitted without credentials. */
  readonly tenant_key?: WrappedKey;
}

/** Reads those of `ids` that exist: one round trip, or no query for an empty list. */
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
