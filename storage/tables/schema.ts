// The tables of D1: what must be found, listed or shared across sessions. A session's log is in its object.
// Times are UTC ISO text; ids sort by time, so a list walks an index of (tenant_id, id) backwards. Sessions' lists go by
// `created_at`: the ids of those that a thread's name stands for have no time.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { AgentDefinition } from "../../protocol/api/agents.ts";
import type { RevocationReason, Scope } from "../../protocol/api/api-keys.ts";
import type { CredentialType } from "../../protocol/api/credentials.ts";
import type { ForkedFrom } from "../../protocol/api/fork.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../protocol/api/quotas.ts";
import type { SessionStatus } from "../../protocol/api/sessions.ts";
import type { TenantStatus } from "../../protocol/api/tenants.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";

type Metadata = Record<string, unknown>;

export const tenants = sqliteTable(
  "tenants",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
    created_at: text().notNull(),
    /** `suspended` refuses every credential of the tenant; `closed` does so for good, and its erasure has begun. */
    status: text().$type<TenantStatus>().notNull().default("active"),
    /** All of them, so that D1 itself refuses what goes beyond: the triggers of `tenant_counts` read them. */
    quotas: text({ mode: "json" }).$type<Quotas>().notNull().default(DEFAULT_QUOTAS),
    /** Grows with each change of status or quotas: what is older is not news. */
    revision: integer().notNull().default(0),
    /** Set once; from then on none of the tenant's keys is accepted. */
    deleted_at: text(),
    /** Of a closed tenant that is not erased yet: when somebody looks whether its erasure goes on. */
    removal_due_at: text(),
  },
  (table) => [
    index("tenants_removals")
      .on(table.removal_due_at)
      .where(sql`${table.removal_due_at} IS NOT NULL`),
  ],
);

/** How many rows a tenant has, kept by triggers: the migration that made the table has them. WITHOUT ROWID. */
export const tenantCounts = sqliteTable("tenant_counts", {
  tenant_id: text().primaryKey(),
  sessions: integer().notNull().default(0),
  agents: integer().notNull().default(0),
  agent_versions: integer().notNull().default(0),
  credentials: integer().notNull().default(0),
  api_keys: integer().notNull().default(0),
  webhook_endpoints: integer().notNull().default(0),
  inbound_endpoints: integer().notNull().default(0),
  stored_bytes: integer().notNull().default(0),
});

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    name: text(),
    mode: text({ enum: ["live", "test"] }).notNull(),
    prefix: text().notNull(),
    /** HMAC-SHA-256 of the key under the pepper, in hex: the table alone lets nobody try keys. */
    hash: text().notNull(),
    scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
    created_at: text().notNull(),
    expires_at: text(),
    revoked_at: text(),
    /** Written at most once a minute. */
    last_used_at: text(),
    /** The key that made it, or `operator`; null for one from before this was kept. */
    created_by: text(),
    /** Why it was revoked; null while it was not, or when nobody said. */
    revoked_reason: text().$type<RevocationReason>(),
    /** The secret before the last rotation, which works until it expires. */
    old_hash: text(),
    old_secret_expires_at: text(),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    uniqueIndex("api_keys_old_hash").on(table.old_hash),
    index("api_keys_tenant").on(table.tenant_id, table.id),
    index("api_keys_maker").on(table.tenant_id, table.created_by),
  ],
);

export const agents = sqliteTable(
  "agents",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    /** The current version's number. */
    version: integer().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** A deleted agent opens no session; the sessions that it has go on. */
    deleted_at: text(),
  },
  (table) => [index("agents_tenant").on(table.tenant_id, table.id)],
);

/** Rows are written once and never changed. */
export const agentVersions = sqliteTable(
  "agent_versions",
  {
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    version: integer().notNull(),
    definition: text({ mode: "json" }).$type<AgentDefinition>().notNull(),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.agent_id, table.version] })],
);

/** The list of sessions. What a session is doing is known to its object; `session_states` follows it. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    agent_version: integer().notNull(),
    follows_latest: integer({ mode: "boolean" }).notNull().default(false),
    end_user_id: text(),
    metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
    created_at: text().notNull(),
    /** Set before the object is erased; the row goes when the object is gone. */
    deleted_at: text(),
    /** Of a deletion that has begun: when somebody looks whether it came to its end. */
    removal_due_at: text(),
    /** Of a session that began with another one's conversation. */
    forked_from: text({ mode: "json" }).$type<ForkedFrom>(),
  },
  (table) => [
    index("sessions_tenant").on(table.tenant_id, table.created_at, table.id),
    index("sessions_agent").on(table.tenant_id, table.agent_id, table.created_at, table.id),
    index("sessions_end_user").on(table.tenant_id, table.end_user_id, table.created_at, table.id),
    index("sessions_removals")
      .on(table.removal_due_at)
      .where(sql`${table.removal_due_at} IS NOT NULL`),
  ],
);

/** Made with a tenant's first credential. Without its row none of the tenant's secrets opens again. */
export const tenantKeys = sqliteTable("tenant_keys", {
  tenant_id: text().primaryKey(),
  wrapped: text().$type<WrappedKey>().notNull(),
});

export const credentials = sqliteTable(
  "credentials",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    name: text().notNull(),
    type: text().$type<CredentialType>().notNull(),
    sealed: text().$type<SealedSecret>().notNull(),
    created_at: text().notNull(),
    /** Hosts that it may be sent to; null for one from before this was asked for. */
    allowed_hosts: text({ mode: "json" }).$type<readonly string[]>(),
    /** Grows with each new secret or change of hosts: sessions see whether what they hold is the newest. */
    version: integer().notNull().default(1),
    updated_at: text(),
  },
  (table) => [index("credentials_tenant").on(table.tenant_id, table.id)],
);

// What the outbox of the sessions' objects writes. `entry` is the outbox's own count in its session: a row is only
// ever replaced by one with a higher one.

export const sessionStates = sqliteTable(
  "session_states",
  {
    session_id: text().primaryKey(),
    tenant_id: text().notNull(),
    entry: integer().notNull(),
    status: text().$type<SessionStatus>().notNull(),
    /** With which the reply ran: a session that follows its agent has moved on with its replies. */
    agent_version: integer().notNull(),
    /** Of the object's database, when the entry was written. */
    bytes: integer().notNull(),
    /** The session's `created_at`, in whose order the index is. */
    session_created_at: text().notNull(),
  },
  (table) => [
    index("session_states_status").on(
      table.tenant_id,
      table.status,
      table.session_created_at,
      table.session_id,
    ),
  ],
);

/** What one reply has used so far. `usage_days` has the sums: who writes one writes both. WITHOUT ROWID. */
export const usage = sqliteTable(
  "usage",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    reply_id: text().notNull(),
    entry: integer().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** `YYYY-MM-DD` in UTC, of the entry. */
    day: text().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
  },
  // With the tenant first, so that a tenant's rows are found without an index of their own.
  (table) => [primaryKey({ columns: [table.tenant_id, table.session_id, table.reply_id] })],
);

/** The sums of `usage`, in the order in which a report reads them. WITHOUT ROWID. */
export const usageDays = sqliteTable(
  "usage_days",
  {
    tenant_id: text().notNull(),
    day: text().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** None when all of them have moved to another day or model. */
    replies: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.day, table.agent_id, table.model_name] }),
  ],
);
