// The table of API keys.
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { RevocationReason, Scope } from "../../protocol/keys/contract.ts";
import { tenantRow } from "../tables/shared-columns.ts";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    ...tenantRow,
    name: text(),
    mode: text({ enum: ["live", "test"] }).notNull(),
    prefix: text().notNull(),
    /** HMAC-SHA-256 of the key with the pepper, in hex: without the pepper, keys cannot be guessed from the table. */
    hash: text().notNull(),
    scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
    created_at: text().notNull(),
    expires_at: text(),
    revoked_at: text(),
    /** Written at most once a minute. */
    last_used_at: text(),
    /** The API key or the member that created it, or `operator`; null in rows from before the column. */
    created_by: text(),
    /** The reason for the revocation; null when not revoked, or revoked without a reason. */
    revoked_reason: text().$type<RevocationReason>(),
    /** Hash of the secret before the last rotation, valid until it expires. */
    old_hash: text(),
    old_secret_expires_at: text(),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    uniqueIndex("api_keys_old_hash").on(table.old_hash),
    index("api_keys_tenant").on(table.tenant_id, table.id),
    // By maker first: the operator's people make keys for any tenant.
    index("api_keys_maker").on(table.created_by, table.tenant_id),
  ],
);
