// The grants that the platform has at MCP servers. Secrets are encrypted with the tenant's data key.
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { SealedSecret } from "../secrets/credential-cipher.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

export const connections = sqliteTable(
  "connections",
  {
    ...tenantRow,
    mcp_server_id: text().notNull(),
    /** Empty for the tenant's own: null would not be unique. */
    end_user_id: text().notNull(),
    status: text({ enum: ["waiting", "active", "failed"] }).notNull(),
    /** Counts the changes of grant and sign-in. */
    version: integer().notNull(),
    /** The server's address and issuer, as JSON: tokens are sent nowhere else. */
    bound_to: text().notNull(),
    issuer: text(),
    scope: text(),
    failure: text(),
    /** The client and the tokens, as JSON. */
    grant: text().$type<SealedSecret>(),
    /** Of the access token. As all times here but the last two, in Unix milliseconds. */
    expires_at: integer().notNull(),
    /** Until then one machine renews the tokens. */
    leased_until: integer().notNull(),
    /** The sign-in that a person has to end: its addresses and secrets, as JSON. */
    attempt: text().$type<SealedSecret>(),
    attempt_until: integer().notNull(),
    /** SHA-256 of the sign-in's `state`; null once the browser was sent back with it. */
    state_hash: text(),
    /** SHA-256 of the code that ends the sign-in; it stays, so that a repeated request gets the same answer. */
    code_hash: text(),
    /** The sessions that wait for the sign-in's end. */
    session_ids: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    ...changeTimes,
  },
  (table) => [
    uniqueIndex("connections_owner").on(table.tenant_id, table.mcp_server_id, table.end_user_id),
    index("connections_tenant").on(table.tenant_id, table.id),
    index("connections_server").on(table.mcp_server_id),
    uniqueIndex("connections_state").on(table.state_hash),
  ],
);

/** The clients that the platform has registered at authorization servers (RFC 7591). */
export const oauthClients = sqliteTable(
  "oauth_clients",
  {
    mcp_server_id: text().notNull(),
    tenant_id: text().notNull(),
    /** Of the server's definition: a change of it registers anew. */
    version: integer().notNull(),
    issuer: text().notNull(),
    /** As JSON. */
    client: text().$type<SealedSecret>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.mcp_server_id, table.issuer] })],
);
