import { and, eq, exists, isNull, lte, notExists, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { SessionSummary } from "../../protocol/sessions/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { REMOVAL_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import { batchChecked, checkShare } from "../quotas/check-share.ts";
import type { Database } from "../statements/database.ts";
import { holderOf } from "../quotas/holder-of.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { releaseUsage } from "../usage/release-usage.ts";
import type { SessionListRequest } from "./list-sessions.ts";
import { listAmong, listSessions } from "./list-sessions.ts";
import type { SessionFilter } from "./session-filter.ts";
import { releaseFiles } from "../files/release-files.ts";
import { decisions } from "../decisions/table.ts";
import { pendingCalls } from "../confirmations/table.ts";
import { sessions, sessionStates } from "./table.ts";
import { tenants } from "../tenants/table.ts";
import { webhookAnnouncements, webhookEndpoints } from "../webhooks/table.ts";

/** The title is the client's own, without the words that lists show in its place. */
export type NewSession = Omit<
  SessionSummary,
  "status" | "failure" | "cost_usd" | "parent_session_id"
>;
type SessionChange = Partial<
  Pick<SessionSummary, "metadata" | "title" | "agent_version" | "follows_latest">
>;

/** A session whose deletion has begun. */
interface HiddenSession extends Pick<SessionSummary, "agent_id" | "end_user_id" | "created_at"> {
  /** When the deletion was first requested. */
  readonly deleted_at: string;
}

interface HiddenTree extends HiddenSession {
  /** Sessions that were called from it, at any level: they are hidden with it, and each is deleted by itself. */
  readonly called_ids: readonly string[];
}

interface InsertOptions {
  /** Part of the same batch. */
  readonly keep?: KeepAnswer | undefined;
  /** Binds an end user who opens it; left out for an API key. */
  readonly share?: EndUserShareChange | undefined;
  /** Of one that a call of an agent begins: no row is written once the calling session is being deleted. */
  readonly calledBy?: { readonly parent_session_id: string; readonly root_session_id: string };
}

/** The outcome for a new session's row. */
interface InsertedSession {
  /** False when the tenant is closed, which may happen after the request was admitted, and when the row exists already. */
  readonly isNew: boolean;
  /** Whether the tenant has webhook endpoints that are enabled, read in the same batch. */
  readonly hasEndpoints: boolean;
}

/** The list of a tenant's sessions; their content is in their objects. */
export interface SessionStorage {
  /** One round trip. @throws when a quota is exceeded, of the tenant or of the end user who opens it. */
  insert(
    session: NewSession,
    { keep, share }?: InsertOptions,
    ...audits: readonly (WriteAudit | undefined)[]
  ): Promise<InsertedSession>;
  /** The id of the session's agent; null when there is no such session or its deletion has begun. */
  findAgentId(sessionId: string): Promise<string | null>;
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
  /**
   * Begins the deletion: hides the session, so that late deliveries of its outbox have no effect, and with it those that its
   * replies have called. A repeated call
   * returns the same, so that an interrupted deletion can be continued. Null when there is no such session.
   */
  beginRemoval(
    sessionId: string,
    deletedAt: string,
    audit?: WriteAudit,
  ): Promise<HiddenTree | null>;
  /** The session whose deletion has begun; null when it has not begun or is complete. */
  findRemoval(sessionId: string): Promise<HiddenSession | null>;
  /**
   * Deletes the session created at `createdAt` and what its outbox has delivered, except its usage, which contains no
   * data of an end user. A session created anew with the same id (a named thread) is kept. Returns whether there was a
   * row.
   */
  remove(sessionId: string, createdAt: string): Promise<boolean>;
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
    async insert({ metadata, forked_from, ...session }, { keep, share, calledBy } = {}, ...audits) {
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

    async beginRemoval(sessionId, deletedAt, audit) {
      const removal_due_at = new Date(Date.parse(deletedAt) + REMOVAL_OVERDUE_MS).toISOString();
      const isVisible = database
        .select({ id: sessions.id })
        .from(sessions)
        .where(isOurs(sessionId));
      const hide = database
        .update(sessions)
        .set({ deleted_at: sql`coalesce(${sessions.deleted_at}, ${deletedAt})`, removal_due_at })
        .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)))
        .returning({
          agent_id: sessions.agent_id,
          end_user_id: sessions.end_user_id,
          created_at: sessions.created_at,
          deleted_at: sessions.deleted_at,
        });
      const below = sql`(WITH RECURSIVE called(id) AS (
        SELECT id FROM sessions WHERE tenant_id = ${tenantId} AND parent_session_id = ${sessionId}
        UNION SELECT sessions.id FROM sessions JOIN called ON sessions.parent_session_id = called.id
          WHERE sessions.tenant_id = ${tenantId}) SELECT id FROM called)`;
      const hideCalled = database
        .update(sessions)
        .set({ deleted_at: sql`coalesce(${sessions.deleted_at}, ${deletedAt})`, removal_due_at })
        .where(and(eq(sessions.tenant_id, tenantId), sql`${sessions.id} IN ${below}`))
        .returning({ id: sessions.id });
      // Before the update: a repeated call continues the deletion without a second entry.
      const hiding = async () => {
        if (!audit) return database.batch([hide, hideCalled]);
        const entry = audit(database, { when: sql`EXISTS ${isVisible}` });
        const [, ...hidden] = await database.batch([entry, hide, hideCalled]);
        return hidden;
      };
      const [[hidden], called] = await hiding();
      if (!hidden) return null;
      const called_ids = called.map(({ id }) => id);
      return { ...hidden, deleted_at: hidden.deleted_at ?? deletedAt, called_ids };
    },

    async findRemoval(sessionId) {
      const [hidden] = await database
        .select({
          agent_id: sessions.agent_id,
          end_user_id: sessions.end_user_id,
          created_at: sessions.created_at,
          deleted_at: sessions.deleted_at,
        })
        .from(sessions)
        .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)));
      const deleted_at = hidden?.deleted_at ?? null;
      return hidden && deleted_at !== null ? { ...hidden, deleted_at } : null;
    },

    async remove(sessionId, createdAt) {
      const isRow = and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId));
      const isGone = notExists(database.select({ id: sessions.id }).from(sessions).where(isRow));
      function ofSession(
        table:
          | typeof sessionStates
          | typeof pendingCalls
          | typeof decisions
          | typeof webhookAnnouncements,
      ) {
        return and(eq(table.tenant_id, tenantId), eq(table.session_id, sessionId), isGone);
      }
      const [removed] = await database.batch([
        database
          .delete(sessions)
          .where(and(isRow, eq(sessions.created_at, createdAt)))
          .returning({ id: sessions.id }),
        database.delete(sessionStates).where(ofSession(sessionStates)),
        database.delete(pendingCalls).where(ofSession(pendingCalls)),
        database.delete(decisions).where(ofSession(decisions)),
        ...releaseUsage(database, { tenantId, sessionId, when: isGone }),
        database.delete(webhookAnnouncements).where(ofSession(webhookAnnouncements)),
        ...releaseFiles(database, { tenantId, sessionId, now: new Date().toISOString() }),
      ]);
      return removed.length > 0;
    },
  };
}
