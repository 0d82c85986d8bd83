// The tables of D1: what must be found, listed or shared across sessions. A session's log is in its object. Times are
// UTC ISO text; ids sort by time, so a list scans an index of (tenant_id, id) backwards. Lists of sessions are ordered
// by `created_at`, because ids derived from a thread's name contain no time.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { RevocationReason, Scope } from "../../protocol/keys/contract.ts";
import type { CredentialType } from "../../protocol/credentials/contract.ts";
import type { ForkedFrom } from "../../protocol/sessions/fork.ts";
import type { StoredQuotas } from "../../protocol/quotas/contract.ts";
import type { SessionStatus } from "../../protocol/sessions/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { BASELINE_QUOTAS } from "../quotas/baseline-quotas.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import { changeTimes, tenantRow } from "./shared-columns.ts";

type Metadata = Record<string, unknown>;

export const tenants = sqliteTable(
  "tenants",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
    created_at: text().notNull(),
    /** `suspended`: the tenant's credentials are refused; `closed`: permanently, and its erasure has begun. */
    status: text().$type<TenantStatus>().notNull().default("active"),
    /** All quotas: the triggers of `tenant_counts` read them to refuse inserts beyond a quota. */
    quotas: text({ mode: "json" }).$type<StoredQuotas>().notNull().default(BASELINE_QUOTAS),
    /** Incremented by each change of status or quotas; the tenant's object ignores older revisions. */
    revision: integer().notNull().default(0),
    /** Set when the tenant is closed; its keys are refused from then on. */
    deleted_at: text(),
    /** When the cron sweep resumes the erasure of a closed tenant; null once it is erased. */
    removal_due_at: text(),
  },
  (table) => [
    index("tenants_removals")
      .on(table.removal_due_at)
      .where(sql`${table.removal_due_at} IS NOT NULL`),
    index("tenants_suspended")
      .on(table.id)
      .where(sql`${table.status} = 'suspended'`),
  ],
);

/** The number of rows of each tenant, maintained by the triggers in `migrations/`, most of them in `0009_database_bytes.sql`. WITHOUT ROWID. */
export const tenantCounts = sqliteTable("tenant_counts", {
  tenant_id: text().primaryKey(),
  sessions: integer().notNull().default(0),
  agents: integer().notNull().default(0),
  agent_versions: integer().notNull().default(0),
  skills: integer().notNull().default(0),
  credentials: integer().notNull().default(0),
  api_keys: integer().notNull().default(0),
  webhook_endpoints: integer().notNull().default(0),
  inbound_endpoints: integer().notNull().default(0),
  mcp_servers: integer().notNull().default(0),
  stored_bytes: integer().notNull().default(0),
  /** Of its rows in this database, but for versions of agents, which are stored bytes. */
  database_bytes: integer().notNull().default(0),
});

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
    /** The API key that created it, or `operator`; null in rows from before the column. */
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
    index("api_keys_maker").on(table.tenant_id, table.created_by),
  ],
);

export const agents = sqliteTable(
  "agents",
  {
    ...tenantRow,
    /** The current version's number. */
    version: integer().notNull(),
    ...changeTimes,
    /** No new session can use a deleted agent; its existing sessions continue. */
    deleted_at: text(),
  },
  (table) => [index("agents_tenant").on(table.tenant_id, table.id)],
);

/** Of a row nothing changes but `retired_at`. */
export const agentVersions = sqliteTable(
  "agent_versions",
  {
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    version: integer().notNull(),
    definition: text({ mode: "json" }).$type<AgentDefinition>().notNull(),
    created_at: text().notNull(),
    /** No session is given it any more; those that have it get the newest one with their next reply. */
    retired_at: text(),
  },
  (table) => [primaryKey({ columns: [table.agent_id, table.version] })],
);

/** The list of sessions. A session's current state is in its object; `session_states` is a copy of it. */
export const sessions = sqliteTable(
  "sessions",
  {
    ...tenantRow,
    agent_id: text().notNull(),
    agent_version: integer().notNull(),
    follows_latest: integer({ mode: "boolean" }).notNull().default(false),
    end_user_id: text(),
    metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
    created_at: text().notNull(),
    /** Set before the object is erased; the row goes when the object is gone. */
    deleted_at: text(),
    /** When the cron sweep resumes a deletion that has begun. */
    removal_due_at: text(),
    /** The session whose conversation this one was copied from; null if none. */
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

// Tables written by the outboxes of the sessions' objects. `entry` is the number of the outbox entry in its session: a
// row is only replaced by one with a higher number, so late and repeated deliveries have no effect.

export const sessionStates = sqliteTable(
  "session_states",
  {
    session_id: text().primaryKey(),
    tenant_id: text().notNull(),
    entry: integer().notNull(),
    status: text().$type<SessionStatus>().notNull(),
    /** The version that the reply used; in a session that follows the latest version it changes from reply to reply. */
    agent_version: integer().notNull(),
    /** Size of the object's database when the entry was written. */
    bytes: integer().notNull(),
    /** Copy of the session's `created_at`, for the order of the index. */
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

/** The tokens that one reply has used so far. Written together with the sums in `usage_days`. WITHOUT ROWID. */
export const usage = sqliteTable(
  "usage",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    reply_id: text().notNull(),
    entry: integer().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** `YYYY-MM-DD` in UTC, from the time of the entry. */
    day: text().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    /** Billionths of a US dollar; null when it is not known. */
    cost: integer(),
    /** 0 for a summary that no reply has made. */
    replies: integer().notNull().default(1),
    /** In whose sums of `usage_end_users` the row is counted; null when in none, as after the session's deletion. */
    end_user_id: text(),
  },
  // The tenant is first, so that a tenant's rows are found without another index.
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
    /** Zero when all of them were moved to another day or model. */
    replies: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    /** Of the replies whose cost is known, in billionths of a US dollar. */
    cost: integer().notNull().default(0),
    /** The replies whose cost is not known. */
    unpriced: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenant_id, table.day, table.agent_id, table.model_name] }),
  ],
);

/**
 * The part of the sums in `usage_days` that belongs to end users. What is in none of these rows (sessions without an end
 * user, deleted sessions, replies from before the table) is the difference of the two. WITHOUT ROWID.
 */
export const usageEndUsers = sqliteTable(
  "usage_end_users",
  {
    tenant_id: text().notNull(),
    day: text().notNull(),
    end_user_id: text().notNull(),
    agent_id: text().notNull(),
    model_name: text().notNull(),
    /** The rows of `usage` that are summed: those of replies and of summaries. At zero, a trigger deletes the sums. */
    entries: integer().notNull(),
    replies: integer().notNull(),
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull(),
    cache_input_tokens: integer().notNull(),
    cache_creation_input_tokens: integer().notNull(),
    cost: integer().notNull(),
    unpriced: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant_id, table.day, table.end_user_id, table.agent_id, table.model_name],
    }),
  ],
);
