// The keys of requests that act on D1. Those that act on a session are in its object.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Whose key it is; `operator` for the operator's. */
    tenant_id: text().notNull(),
    /** The path of the request, ids included; all of them are POSTs. */
    path: text().notNull(),
    key: text().notNull(),
    /** The hash of what was asked. */
    fingerprint: text().notNull(),
    /** The request that has the key: one that took it over wrote another. */
    claim_id: text().notNull(),
    /** Unix milliseconds after which a request without an answer counts as dead. */
    leased_until: integer().notNull(),
    /** Null while the request is under way. Written with the act; never a secret. */
    answer: text(),
    /** Unix milliseconds. */
    expires_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.path, table.key] }),
    index("idempotency_keys_expiry").on(table.expires_at),
  ],
);
