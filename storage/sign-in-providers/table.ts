// OpenID providers of tenants and of the operator, and the identities that they vouch for. The owner of a row is in `tenant_id`,
// as in `members`.
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import { tenantRow } from "../tables/shared-columns.ts";

/** Rows are written once and never changed. A trigger bounds their number for each owner. */
export const signInProviders = sqliteTable(
  "sign_in_providers",
  {
    ...tenantRow,
    name: text().notNull(),
    issuer: text().notNull(),
    client_id: text().notNull(),
    /** Null for a client without a secret. The operator's goes with its provider. */
    credential_id: text(),
    created_at: text().notNull(),
    /** The API key or the member that registered it, or `operator`. */
    created_by: text().notNull(),
  },
  (table) => [index("sign_in_providers_tenant").on(table.tenant_id, table.id)],
);

/** An identity at a provider, bound to one member of its owner, who has no other one. WITHOUT ROWID. */
export const memberIdentities = sqliteTable(
  "member_identities",
  {
    tenant_id: text().notNull(),
    provider_id: text().notNull(),
    /** The claim `sub`. */
    subject: text().notNull(),
    member_id: text().notNull(),
    created_at: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.provider_id, table.subject] }),
    uniqueIndex("member_identities_member").on(table.tenant_id, table.member_id),
  ],
);
