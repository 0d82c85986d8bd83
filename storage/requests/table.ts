// Idempotency keys of requests that write to D1. Those of requests that act on a session are in its object.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** The owner of the key; `operator` for the operator. */
    tenant_id: text().notNull(),
    /** The path of the request, ids included. The method is always POST. */
    path: text().notNull(),
    key: text().notNull(),
    /** The hash of the request, to recognise another request with the same key. */
    fingerprint: text().notNull(),
    /** Identifies the request that holds the key; changes when another request takes it over. */
    claim_id: text().notNull(),
    /** Unix milliseconds after which a request without an answer counts as failed. */
    leased_until: integer().notNull(),
    /** Null while the request runs. Written in the batch of the act; contains no secret. */
    answer: text(),
    /** Unix milliseconds. */
    expires_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.path, table.key] }),
    index("idempotency_keys_expiry").on(table.expires_at),
  ],
);
