import { and, eq, exists, isNull, lte, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { SessionSummary } from "../../protocol/sessions/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import { batchChecked, checkShare } from "../quotas/check-share.ts";
import type { Database } from "../statements/database.ts";
import { holderOf } from "../quotas/holder-of.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { SessionListRequest } from "./list-sessions.ts";
import { listAmong, listSessions } from "./list-sessions.ts";
import type { SessionFilter } from "./session-filter.ts";
import { sessionRemovals, type SessionRemovals } from "./session-removals.ts";
import { sessions } from "./table.ts";
import { tenants } from "../tenants/table.ts";
import { webhookEndpoints } from "../webhooks/table.ts";

/** The title is the client's own, without the words that lists show in its place. */
export type NewSession = Omit<
  SessionSummary,
  "status" | "failure" | "cost_usd" | "parent_session_id" | "room_id"
>;
type SessionChange = Partial<
  Pick<SessionSummary, "metadata" | "title" | "agent_version" | "follows_latest">
>;

interface InsertOptions {
  /** Part of the same batch. */
  readonly keep?: KeepAnswer | undefined;
  /** Binds an end user who opens it; left out for an API key. */
  readonly share?: EndUserShareChange | undefined;
  /** Of one that a call of an agent begins: no row is written once the calling session is being deleted. */
  readonly calledBy?: { readonly parent_session_id: string; readonly root_session_id: string };
  /** Of one in which a participant of a room speaks. It goes with the room, and so belongs to no end user. */
  readonly room_id?: string;
}

/** The outcome for a new session's row. */
interface InsertedSession {
  /** False when the tenant is closed, which may happen after the request was admitted, and when the row exists already. */
  readonly isNew: boolean;
  /** Whether the tenant has webhook endpoints that are enabled, read in the same batch. */
  readonly hasEndpoints: boolean;
}

/** The list of a tenant's sessions; their content is in their objects. */
export interface SessionStorage extends SessionRemovals {
  /** One round trip. @throws when a quota is exceeded, of the tenant or of the end user who opens it. */
  insert(
    session: NewSession,
    options?: InsertOptions,
    ...audits: readonly (WriteAudit | undefined)[]
  ): Promise<InsertedSession>;
  /** The id of the session's agent; null when there is no such session or its deletion has begun. */
  findAgentId(sessionId: string): Promise<string | null>;
  /** The room whose participant speaks in the session; null for all others. */
  findRoomId(sessionId: string): Promise<string | null>;
  /** Newest first. */
  list(request: SessionListRequest): Promise<Page<SessionSummary>>;
  /** Of sessions with these ids those that the filter fits, in the order of the list. */
  listAmong(ids: readonly string[], filter: SessionFilter): Promise<readonly SessionSummary[]>;
  /** Ids, including sessions whose deletion has begun. */
  listIds(limit: number): Promise<readonly string[]>;
  /** Ids of an end user's sessions that were opened at `until` or before, oldest first, deletions that have begun too. */
  listIdsOf(endUserId: string, until: string, limit: number): Promise<readonly string[]>;
  /** Returns whether the session exists. */
  update(sessionId: string, change: SessionChange): Promise<boolean>;
}

export function sessionStorage(database: Database, tenantId: string): SessionStorage {
  function isOurs(sessionId: string) {
    return and(
      eq(sessions.tenant_id, tenantId),
      eq(sessions.id, sessionId),
      isNull(sessions.deleted_at),
    );
  }

  return {
    async insert({ metadata, forked_from, ...session }, options = {}, ...audits) {
      const { keep, share, calledBy, room_id = null } = options;
      const { parent_session_id = null, root_session_id = null } = calledBy ?? {};
      const parent = database.select({ id: sessions.id }).from(sessions);
      const isOpen = and(
        eq(tenants.id, tenantId),
        isNull(tenants.deleted_at),
        parent_session_id === null ? undefined : exists(parent.where(isOurs(parent_session_id))),
      );
      const inserted = database
        .insert(sessions)
        .select(
          database
            .select({
              id: sql`${session.id}`.as("id"),
              tenant_id: sql`${tenantId}`.as("tenant_id"),
              agent_id: sql`${session.agent_id}`.as("agent_id"),
              agent_version: sql`${session.agent_version}`.as("agent_version"),
              follows_latest: sql`${session.follows_latest ? 1 : 0}`.as("follows_latest"),
              end_user_id: sql`${session.end_user_id}`.as("end_user_id"),
              metadata: sql`${JSON.stringify(metadata)}`.as("metadata"),
              title: sql`${session.title}`.as("title"),
              created_at: sql`${session.created_at}`.as("created_at"),
              deleted_at: sql`NULL`.as("deleted_at"),
              removal_due_at: sql`NULL`.as("removal_due_at"),
              forked_from: sql`${forked_from && JSON.stringify(forked_from)}`.as("forked_from"),
              parent_session_id: sql`${parent_session_id}`.as("parent_session_id"),
              root_session_id: sql`${root_session_id}`.as("root_session_id"),
              room_id: sql`${room_id}`.as("room_id"),
            })
            .from(tenants)
            .where(isOpen),
        )
        .onConflictDoNothing()
        .returning({ id: sessions.id });
      const isEnabled = and(
        eq(webhookEndpoints.tenant_id, tenantId),
        isNull(webhookEndpoints.disabled_at),
      );
      const endpoint = database
        .select({ id: webhookEndpoints.id })
        .from(webhookEndpoints)
        .where(isEnabled)
        .limit(1);
      const isThere = sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${session.id})`;
      const holder = holderOf({ session_id: session.id, end_user_id: session.end_user_id });
      const check =
        share &&
        checkShare(database, {
          tenantId,
          quota: "sessions",
          share,
          // One that is there is found, and adds nothing.
          of: sql`SELECT ${holder} AS holder, 1 AS adds WHERE NOT ${isThere}`,
        });
      const [endpoints, rows] = await batchChecked(database, check, [
        endpoint,
        inserted,
        ...recordStatements(database, ...audits, keep),
      ]);
      return { isNew: rows.length > 0, hasEndpoints: endpoints.length > 0 };
    },

    async findAgentId(sessionId) {
      const [row] = await database
        .select({ agent_id: sessions.agent_id })
        .from(sessions)
        .where(isOurs(sessionId));
      return row?.agent_id ?? null;
    },

    async findRoomId(sessionId) {
      const [row] = await database
        .select({ room_id: sessions.room_id })
        .from(sessions)
        .where(isOurs(sessionId));
      return row?.room_id ?? null;
    },

    list: (request) => listSessions(database, tenantId, request),

    listAmong: (ids, filter) => listAmong(database, tenantId, { ids, filter }),

    async listIds(limit) {
      const rows = await database
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.tenant_id, tenantId))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async listIdsOf(endUserId, until, limit) {
      const rows = await database
        .select({ id: sessions.id })
        .from(sessions)
        .where(
          and(
            eq(sessions.tenant_id, tenantId),
            eq(sessions.end_user_id, endUserId),
            // Sessions of participants go with their rooms.
            isNull(sessions.room_id),
            lte(sessions.created_at, until),
          ),
        )
        .orderBy(sessions.created_at)
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async update(sessionId, { metadata, ...change }) {
      const rows = await database
        .update(sessions)
        .set({ ...change, ...(metadata && { metadata: { ...metadata } }) })
        .where(isOurs(sessionId))
        .returning({ id: sessions.id });
      return rows.length > 0;
    },

    ...sessionRemovals(database, tenantId),
  };
}
