// The tables of D1: what must be found, listed or shared across sessions. A session's log is in its object.
// Times are UTC ISO text; ids sort by time, so every list walks an index of (tenant_id, id) backwards.
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { Scope } from "../protocol/api/api-keys.ts";

type Metadata = Record<string, unknown>;

export const tenants = sqliteTable("tenants", {
  id: text().primaryKey(),
  name: text().notNull(),
  metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
  created_at: text().notNull(),
  /** Set once; from then on none of the tenant's keys is accepted. */
  deleted_at: text(),
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
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_tenant").on(table.tenant_id, table.id),
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

/** The list of sessions. What a session is doing is known to its object alone. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    agent_version: integer().notNull(),
    end_user_id: text(),
    metadata: text({ mode: "json" }).$type<Metadata>().notNull(),
    created_at: text().notNull(),
  },
  (table) => [
    index("sessions_tenant").on(table.tenant_id, table.id),
    index("sessions_end_user").on(table.tenant_id, table.end_user_id, table.id),
  ],
);
