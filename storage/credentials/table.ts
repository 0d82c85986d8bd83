// The tables of credentials and of the keys that encrypt them.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { CredentialType } from "../../protocol/credentials/contract.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import { tenantRow } from "../tables/shared-columns.ts";

/**
 * The tenants' data keys, encrypted with the master key. Created with a tenant's first credential. Without its row none
 * of the tenant's secrets can be decrypted.
 */
export const tenantKeys = sqliteTable("tenant_keys", {
  tenant_id: text().primaryKey(),
  wrapped: text().$type<WrappedKey>().notNull(),
});

export const credentials = sqliteTable(
  "credentials",
  {
    ...tenantRow,
    name: text().notNull(),
    type: text().$type<CredentialType>().notNull(),
    sealed: text().$type<SealedSecret>().notNull(),
    created_at: text().notNull(),
    /** Hosts that it may be sent to; null in rows from before the column. */
    allowed_hosts: text({ mode: "json" }).$type<readonly string[]>(),
    /** Incremented by each change of the secret or the hosts: sessions detect outdated copies. */
    version: integer().notNull().default(1),
    updated_at: text(),
  },
  (table) => [index("credentials_tenant").on(table.tenant_id, table.id)],
);
