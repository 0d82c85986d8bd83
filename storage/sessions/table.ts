// The tables of sessions, for lists: a session's own tables are in its object. Lists are ordered by `created_at`, because ids
// derived from a thread's name contain no time.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { ReplyFailure } from "../../protocol/sessions/reply-failure.ts";
import type { ForkedFrom } from "../../protocol/sessions/fork.ts";
import type { SessionStatus } from "../../protocol/sessions/contract.ts";
import { tenantRow } from "../tables/shared-columns.ts";

/** The list of sessions. A session's current state is in its object; `session_states` is a copy of it. */
export const sessions = sqliteTable(
  "sessions",
  {
    ...tenantRow,
    agent_id: text().notNull(),
    agent_version: integer().notNull(),
    follows_latest: integer({ mode: "boolean" }).notNull().default(false),
    end_user_id: text(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Set by a client; null where the first words of the conversation are shown. */
    title: text(),
    created_at: text().notNull(),
    /** Set before the object is erased; the row goes when the object is gone. */
    deleted_at: text(),
    /** When the cron sweep resumes a deletion that has begun. */
    removal_due_at: text(),
    /** The session whose conversation this one was copied from; null if none. */
    forked_from: text({ mode: "json" }).$type<ForkedFrom>(),
    /** The session whose reply has called this one's agent; null for one that a request has opened. */
    parent_session_id: text(),
    /** The session at the top of those; null as above. Without an end user, its share is counted in. */
    root_session_id: text(),
    /** The room whose participant speaks in it; null for all others. */
    room_id: text(),
  },
  (table) => [
    index("sessions_tenant").on(table.tenant_id, table.created_at, table.id),
    index("sessions_agent").on(table.tenant_id, table.agent_id, table.created_at, table.id),
    index("sessions_end_user").on(table.tenant_id, table.end_user_id, table.created_at, table.id),
    // Called sessions alone are in it, so that all others cost no row.
    index("sessions_parent")
      .on(table.tenant_id, table.parent_session_id, table.created_at, table.id)
      .where(sql`${table.parent_session_id} IS NOT NULL`),
    index("sessions_removals")
      .on(table.removal_due_at)
      .where(sql`${table.removal_due_at} IS NOT NULL`),
  ],
);

// Written by the outboxes of the sessions' objects. `entry` is the number of the outbox entry in its session: a row is only
// replaced by one with a higher number, so late and repeated deliveries have no effect.

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
    /** The first words of the first user message; null before there is one. */
    first_words: text(),
    /** The failure of the last reply; null when it has not failed. */
    failure: text({ mode: "json" }).$type<ReplyFailure>(),
    /** The sum of the costs that are known, in billionths of a US dollar; null when none is. */
    cost: integer(),
  },
  (table) => [
    // Failed sessions alone are in it, so that a session that has not failed costs no row.
    index("session_states_failed")
      .on(table.tenant_id, table.session_created_at, table.session_id)
      .where(sql`${table.failure} IS NOT NULL`),
    index("session_states_status").on(
      table.tenant_id,
      table.status,
      table.session_created_at,
      table.session_id,
    ),
  ],
);
