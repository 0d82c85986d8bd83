// Deletions of sessions: each begins by hiding the row, and ends by deleting it.
import { and, eq, inArray, isNull, notExists, sql } from "drizzle-orm";

import { REMOVAL_OVERDUE_MS } from "../../protocol/operator/limits.ts";
import { MAX_CALLED_HIDDEN_AT_ONCE } from "../../protocol/sessions/limits.ts";
import type { SessionSummary } from "../../protocol/sessions/contract.ts";
import { a2aTasks } from "../a2a/table.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import { pendingCalls } from "../confirmations/table.ts";
import { decisions } from "../decisions/table.ts";
import { releaseFiles } from "../files/release-files.ts";
import type { Database } from "../statements/database.ts";
import { releaseUsage } from "../usage/release-usage.ts";
import { webhookAnnouncements } from "../webhooks/table.ts";
import { sessions, sessionStates } from "./table.ts";

/** A session whose deletion has begun. */
interface HiddenSession extends Pick<SessionSummary, "agent_id" | "end_user_id" | "created_at"> {
  /** When the deletion was first requested. */
  readonly deleted_at: string;
}

interface HiddenTree extends HiddenSession {
  /** Sessions that were called from it, at any level: they are hidden with it, and each is deleted by itself. */
  readonly called_ids: readonly string[];
}

export interface SessionRemovals {
  /**
   * Begins the deletion: hides the session, so that late deliveries of its outbox have no effect, and with it those that its
   * replies have called, {@link MAX_CALLED_HIDDEN_AT_ONCE} of them at most. A repeated call returns the same, so that an interrupted deletion can be continued. Null when there is no such session.
   */
  beginRemoval(
    sessionId: string,
    deletedAt: string,
    audit?: WriteAudit,
  ): Promise<HiddenTree | null>;
  /** Shows a session again whose deletion has begun then, by nobody else, and has erased nothing. */
  endRemoval(sessionId: string, deletedAt: string): Promise<void>;
  /**
   * Hides sessions that one has called and whose deletion has not begun, {@link MAX_CALLED_HIDDEN_AT_ONCE} at most: those for
   * which its own deletion had no room. @returns their ids.
   */
  hideCalled(sessionId: string, deletedAt: string): Promise<readonly string[]>;
  /** The session whose deletion has begun; null when it has not begun or is complete. */
  findRemoval(sessionId: string): Promise<HiddenSession | null>;
  /**
   * Deletes the session created at `createdAt` and what its outbox has delivered, except its usage, which contains no
   * data of an end user. A session created anew with the same id (a named thread) is kept. Returns whether there was a
   * row.
   */
  remove(sessionId: string, createdAt: string): Promise<boolean>;
}

export function sessionRemovals(database: Database, tenantId: string): SessionRemovals {
  function isOurs(sessionId: string) {
    return and(
      eq(sessions.tenant_id, tenantId),
      eq(sessions.id, sessionId),
      isNull(sessions.deleted_at),
    );
  }

  return {
    async beginRemoval(sessionId, deletedAt, audit) {
      const removal_due_at = overdueAt(deletedAt);
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
          WHERE sessions.tenant_id = ${tenantId} LIMIT ${MAX_CALLED_HIDDEN_AT_ONCE}) SELECT id FROM called)`;
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

    async endRemoval(sessionId, deletedAt) {
      const isRow = and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId));
      await database
        .update(sessions)
        .set({ deleted_at: null, removal_due_at: null })
        .where(and(isRow, eq(sessions.deleted_at, deletedAt)));
    },

    async hideCalled(sessionId, deletedAt) {
      const isCalled = eq(sessions.parent_session_id, sessionId);
      const called = database
        .select({ id: sessions.id })
        .from(sessions)
        .where(and(eq(sessions.tenant_id, tenantId), isCalled, isNull(sessions.deleted_at)))
        .limit(MAX_CALLED_HIDDEN_AT_ONCE);
      const rows = await database
        .update(sessions)
        .set({ deleted_at: deletedAt, removal_due_at: overdueAt(deletedAt) })
        .where(inArray(sessions.id, called))
        .returning({ id: sessions.id });
      return rows.map(({ id }) => id);
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
          | typeof a2aTasks
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
        database.delete(a2aTasks).where(ofSession(a2aTasks)),
        ...releaseUsage(database, { tenantId, sessionId, when: isGone }),
        database.delete(webhookAnnouncements).where(ofSession(webhookAnnouncements)),
        ...releaseFiles(database, { tenantId, sessionId, now: new Date().toISOString() }),
      ]);
      return removed.length > 0;
    },
  };
}

/** When the sweep resumes a deletion that began then. */
function overdueAt(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + REMOVAL_OVERDUE_MS).toISOString();
}
