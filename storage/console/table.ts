// Sign-in links and sessions of the console.
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { Scope } from "../../protocol/keys/contract.ts";

/** A link, and from its use on the session that it has opened: one row, so that one UPDATE uses it once. */
export const consoleSessions = sqliteTable(
  "console_sessions",
  {
    id: text().primaryKey(),
    /** Null for the operator's console. */
    tenant_id: text(),
    /**
     * The API key that made the link, or the id of the operator's key: without it the session ends. Null for a member's
     * session.
     */
    key_id: text(),
    /** The member of the tenant or, without one, of the operator who has signed in; null for a session that a link has opened. */
    member_id: text(),
    /** Null for the operator's console, and for a member's, which has those of the role. */
    scopes: text({ mode: "json" }).$type<Scope[]>(),
    /** Hash of the secret in the link; null, and so is the expiry, for a member's session. */
    link_hash: text(),
    link_expires_at: text(),
    created_at: text().notNull(),
    /** Hash of the secret in the cookie; null until the link is used. */
    hash: text(),
    started_at: text(),
    /** When the session ends at the latest; until the link is used, when the link expires. */
    expires_at: text().notNull(),
    /** The last exchange for an access token. */
    last_used_at: text(),
    /** Set by signing out. */
    ended_at: text(),
  },
  (table) => [
    uniqueIndex("console_sessions_link_hash").on(table.link_hash),
    uniqueIndex("console_sessions_hash").on(table.hash),
    index("console_sessions_tenant").on(table.tenant_id),
    index("console_sessions_member").on(table.tenant_id, table.member_id),
    index("console_sessions_expiry").on(table.expires_at),
  ],
);
