import { and, desc, eq, gte, isNull, lt, or, sql } from "drizzle-orm";

import type { Page } from "../protocol/api/common.ts";
import type { SessionStatus, SessionSummary } from "../protocol/api/sessions.ts";
import { formatId, ID_RANDOM_BYTES, TIMELESS_ID_MS } from "../protocol/ids.ts";
import type { Database } from "./database.ts";
import type { KeepAnswer } from "./idempotency-storage.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import { pendingCalls } from "./pending-schema.ts";
import { runKeeping } from "./run-keeping.ts";
import { messages, sessions, sessionStates, tenants, usage } from "./schema.ts";
import { webhookAnnouncements } from "./webhook-schema.ts";

interface SessionFilter {
  readonly agent_id?: string;
  readonly end_user_id?: string;
  readonly status?: SessionStatus;
  /** ISO times: from the first on, up to the second without it. */
  readonly created_after?: string;
  readonly created_before?: string;
}

export type NewSession = Omit<SessionSummary, "status">;
type SessionChange = Partial<Pick<SessionSummary, "metadata" | "agent_version" | "follows_latest">>;

/** A session whose deletion has begun. */
interface HiddenSession extends Pick<SessionSummary, "agent_id" | "end_user_id"> {
  /** When it first began. */
  readonly deleted_at: string;
}

/** The index of sessions; what a session holds is in its object. */
export interface SessionStorage {
  /**
   * Answers false when the tenant was deleted, since a request may have been admitted a moment before, and for a session
   * that has its row already.
   */
  insert(session: NewSession, keep?: KeepAnswer): Promise<boolean>;
  /** The id of the session's agent; null when there is no such session or its deletion has begun. */
  findAgentId(sessionId: string): Promise<string | null>;
  list(request: ListRequest & SessionFilter): Promise<Page<SessionSummary>>;
  /** Ids, those whose deletion has begun included. */
  listIds(limit: number): Promise<readonly string[]>;
  /** Answers whether there is such a session. */
  update(sessionId: string, change: SessionChange): Promise<boolean>;
  /**
   * Hides the session, and stops what its outbox still delivers. Again it answers the same, so that a deletion that was
   * cut off goes on as it began. Null when the session is not there.
   */
  beginRemoval(sessionId: string, deletedAt: string): Promise<HiddenSession | null>;
  /** The session whose deletion has begun; null when it has not, or came to its end. */
  findRemoval(sessionId: string): Promise<HiddenSession | null>;
  /**
   * Removes the session with all that was delivered of it, but for the numbers of its usage, which no longer say whose
   * they were. Answers whether there was a row.
   */
  remove(sessionId: string): Promise<boolean>;
}

const COLUMNS = {
  id: sessions.id,
  agent_id: sessions.agent_id,
  // A session that follows its agent has moved on with its replies.
  agent_version: sql<number>`iif(${sessions.follows_latest}, max(${sessions.agent_version},
    coalesce(${sessionStates.agent_version}, 0)), ${sessions.agent_version})`,
  follows_latest: sessions.follows_latest,
  end_user_id: sessions.end_user_id,
  metadata: sessions.metadata,
  created_at: sessions.created_at,
  forked_from: sessions.forked_from,
  status: sql<SessionStatus>`coalesce(${sessionStates.status}, 'idle')`,
};

export function sessionStorage(database: Database, tenantId: string): SessionStorage {
  function isOurs(sessionId: string) {
    return and(
      eq(sessions.tenant_id, tenantId),
      eq(sessions.id, sessionId),
      isNull(sessions.deleted_at),
    );
  }
  const hasState = and(
    eq(sessionStates.session_id, sessions.id),
    eq(sessionStates.tenant_id, tenantId),
  );

  return {
    async insert({ metadata, forked_from, ...session }, keep) {
      const isOpen = and(eq(tenants.id, tenantId), isNull(tenants.deleted_at));
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
              created_at: sql`${session.created_at}`.as("created_at"),
              deleted_at: sql`NULL`.as("deleted_at"),
              forked_from: sql`${forked_from && JSON.stringify(forked_from)}`.as("forked_from"),
            })
            .from(tenants)
            .where(isOpen),
        )
        .onConflictDoNothing()
        .returning({ id: sessions.id });
      const rows = await runKeeping(database, inserted, keep);
      return rows.length > 0;
    },

    async findAgentId(sessionId) {
      const [row] = await database
        .select({ agent_id: sessions.agent_id })
        .from(sessions)
        .where(isOurs(sessionId));
      return row?.agent_id ?? null;
    },

    async list({ before, limit, status, ...filter }) {
      const where = and(
        eq(sessions.tenant_id, tenantId),
        isNull(sessions.deleted_at),
        before ? lt(sessions.id, before) : undefined,
        filter.agent_id === undefined ? undefined : eq(sessions.agent_id, filter.agent_id),
        filter.end_user_id === undefined ? undefined : eq(sessions.end_user_id, filter.end_user_id),
        wasCreated(filter),
      );
      // Few sessions wait and most are idle: those are found by their state, these by walking the list.
      const isFoundByState = status !== undefined && status !== "idle";
      const rows = isFoundByState
        ? await database
            .select(COLUMNS)
            .from(sessionStates)
            .innerJoin(sessions, eq(sessions.id, sessionStates.session_id))
            .where(
              and(
                eq(sessionStates.tenant_id, tenantId),
                eq(sessionStates.status, status),
                before ? lt(sessionStates.session_id, before) : undefined,
                where,
              ),
            )
            .orderBy(desc(sessionStates.session_id))
            .limit(limit + 1)
        : await database
            .select(COLUMNS)
            .from(sessions)
            .leftJoin(sessionStates, hasState)
            .where(
              and(where, status === undefined ? undefined : sql`${COLUMNS.status} = ${status}`),
            )
            .orderBy(desc(sessions.id))
            .limit(limit + 1);
      return toPage(rows, limit);
    },

    async listIds(limit) {
      const rows = await database
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.tenant_id, tenantId))
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

    async beginRemoval(sessionId, deletedAt) {
      const [hidden] = await database
        .update(sessions)
        .set({ deleted_at: sql`coalesce(${sessions.deleted_at}, ${deletedAt})` })
        .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)))
        .returning({
          agent_id: sessions.agent_id,
          end_user_id: sessions.end_user_id,
          deleted_at: sessions.deleted_at,
        });
      return hidden ? { ...hidden, deleted_at: hidden.deleted_at ?? deletedAt } : null;
    },

    async findRemoval(sessionId) {
      const [hidden] = await database
        .select({
          agent_id: sessions.agent_id,
          end_user_id: sessions.end_user_id,
          deleted_at: sessions.deleted_at,
        })
        .from(sessions)
        .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)));
      const deleted_at = hidden?.deleted_at ?? null;
      return hidden && deleted_at !== null ? { ...hidden, deleted_at } : null;
    },

    async remove(sessionId) {
      function ofSession(
        table:
          | typeof sessionStates
          | typeof pendingCalls
          | typeof messages
          | typeof usage
          | typeof webhookAnnouncements,
      ) {
        return and(eq(table.tenant_id, tenantId), eq(table.session_id, sessionId));
      }
      const [removed] = await database.batch([
        database
          .delete(sessions)
          .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)))
          .returning({ id: sessions.id }),
        database.delete(sessionStates).where(ofSession(sessionStates)),
        database.delete(pendingCalls).where(ofSession(pendingCalls)),
        database.delete(messages).where(ofSession(messages)),
        database.update(usage).set({ end_user_id: null }).where(ofSession(usage)),
        database.delete(webhookAnnouncements).where(ofSession(webhookAnnouncements)),
      ]);
      return removed.length > 0;
    },
  };
}

/**
 * Ids begin with their time, so the index is entered near the right place; the column decides. Those without a time
 * stand behind all others.
 */
function wasCreated({ created_after: after, created_before: before }: SessionFilter) {
  return and(
    after === undefined ? undefined : gte(sessions.id, idNear(after, -SLACK_MS)),
    after === undefined ? undefined : gte(sessions.created_at, after),
    before === undefined
      ? undefined
      : or(lt(sessions.id, idNear(before, SLACK_MS)), gte(sessions.id, FIRST_TIMELESS_ID)),
    before === undefined ? undefined : lt(sessions.created_at, before),
  );
}

const FIRST_TIMELESS_ID = formatId("ses", TIMELESS_ID_MS, new Uint8Array(ID_RANDOM_BYTES));
/** Milliseconds by which an id's time and `created_at` may differ: one is taken shortly after the other. */
const SLACK_MS = 1_000;

function idNear(time: string, offsetMs: number): string {
  const nearMs = Math.max(0, Date.parse(time) + offsetMs);
  return formatId("ses", nearMs, new Uint8Array(ID_RANDOM_BYTES));
}
