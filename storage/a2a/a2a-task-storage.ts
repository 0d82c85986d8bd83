// A tenant's tasks of A2A as lists show them.
import { and, count, desc, eq, gte, sql } from "drizzle-orm";

import { A2A_TASKS_KEPT_MS, END_USER_A2A_TASKS_PERCENT } from "../../protocol/a2a/limits.ts";
import type { A2aTaskState } from "../../protocol/a2a/wire.ts";
import { formatId, ID_RANDOM_BYTES, isId } from "../../protocol/ids.ts";
import { DEFAULT_QUOTAS } from "../../protocol/quotas/contract.ts";
import { tenantCounts } from "../quotas/table.ts";
import { sessions } from "../sessions/table.ts";
import type { Database } from "../statements/database.ts";
import { decodeToken, encodePageToken } from "../statements/page.ts";
import { tenants } from "../tenants/table.ts";
import { a2aTasks } from "./table.ts";

type ListedTask = Omit<typeof a2aTasks.$inferSelect, "tenant_id" | "entry">;

export interface TaskListRequest {
  readonly agent_id: string;
  /** Tasks of this end user alone. */
  readonly end_user_id?: string | undefined;
  readonly context_id?: string | undefined;
  readonly state?: A2aTaskState | undefined;
  /** Tasks whose status is from then or later; ISO 8601 in UTC, with milliseconds. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** As the page before has given it. */
  readonly page_token?: string | undefined;
}

interface TaskList {
  readonly tasks: readonly ListedTask[];
  /** All tasks that the filters let through, on whatever page. */
  readonly total: number;
  /** Empty on the last page. */
  readonly next_page_token: string;
}

export interface A2aTaskStorage {
  /** By the time of the status, the newest first. Null for a page token that is none of this list. */
  list(request: TaskListRequest): Promise<TaskList | null>;
  /** Tasks of one session, the newest first, at most as many. */
  listOf(sessionId: string, limit: number): Promise<readonly ListedTask[]>;
  /** Null when there is none, or its row was purged. */
  find(taskId: string): Promise<ListedTask | null>;
  /** The row of a task that has just begun, for readers that come before the session's outbox. Later ones stay as they are. */
  note(task: Omit<ListedTask, "state" | "status_at" | "created_at">): Promise<void>;
  /** Whether another task may begin, in the tenant's quota and in the share of this end user. */
  hasRoom(endUserId: string | null): Promise<boolean>;
}

interface Position {
  readonly status_at: string;
  readonly id: string;
}

const PERCENT = 100;

const SHOWN = {
  id: a2aTasks.id,
  agent_id: a2aTasks.agent_id,
  session_id: a2aTasks.session_id,
  context_id: a2aTasks.context_id,
  end_user_id: a2aTasks.end_user_id,
  state: a2aTasks.state,
  status_at: a2aTasks.status_at,
  created_at: a2aTasks.created_at,
};

export function a2aTaskStorage(database: Database, tenantId: string): A2aTaskStorage {
  const isTenants = eq(a2aTasks.tenant_id, tenantId);
  const isThere = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${sessions.id} = ${a2aTasks.session_id}
    AND ${sessions.tenant_id} = ${tenantId} AND ${sessions.deleted_at} IS NULL)`;

  return {
    async list({ limit, page_token, ...request }) {
      const place = page_token === undefined ? null : readPosition(page_token);
      if (page_token !== undefined && !place) return null;
      const { agent_id, end_user_id, context_id, state, after } = request;
      const filters = and(
        isTenants,
        eq(a2aTasks.agent_id, agent_id),
        end_user_id === undefined ? undefined : eq(a2aTasks.end_user_id, end_user_id),
        context_id === undefined ? undefined : eq(a2aTasks.context_id, context_id),
        state === undefined ? undefined : eq(a2aTasks.state, state),
        after === undefined ? undefined : gte(a2aTasks.status_at, after),
        isThere,
      );
      const [rows, totals] = await database.batch([
        database
          .select(SHOWN)
          .from(a2aTasks)
          .where(and(filters, place ? isBehind(place) : undefined))
          .orderBy(desc(a2aTasks.status_at), desc(a2aTasks.id))
          .limit(limit + 1),
        database.select({ total: count() }).from(a2aTasks).where(filters),
      ]);
      const tasks = rows.slice(0, limit);
      const last = tasks.at(-1);
      const hasMore = rows.length > limit && last !== undefined;
      return {
        tasks,
        total: totals[0]?.total ?? 0,
        next_page_token: hasMore ? a2aPageToken(last) : "",
      };
    },

    async listOf(sessionId, limit) {
      return database
        .select(SHOWN)
        .from(a2aTasks)
        .where(and(isTenants, eq(a2aTasks.session_id, sessionId)))
        .orderBy(desc(a2aTasks.id))
        .limit(limit);
    },

    async find(taskId) {
      const isRow = and(isTenants, eq(a2aTasks.id, taskId), isThere);
      const [row] = await database.select(SHOWN).from(a2aTasks).where(isRow);
      return row ?? null;
    },

    async note({ id, agent_id, session_id, context_id, end_user_id }) {
      const now = new Date().toISOString();
      await database.run(sql`
        INSERT OR IGNORE INTO a2a_tasks (id, tenant_id, agent_id, session_id, context_id, end_user_id,
          state, status_at, created_at, entry)
        SELECT ${id}, ${tenantId}, ${agent_id}, ${session_id}, ${context_id}, ${end_user_id},
          ${"TASK_STATE_SUBMITTED" satisfies A2aTaskState}, ${now}, ${now}, 0
        FROM sessions WHERE id = ${session_id} AND tenant_id = ${tenantId} AND deleted_at IS NULL`);
    },

    async hasRoom(endUserId) {
      const ofEndUser = and(isTenants, eq(a2aTasks.end_user_id, endUserId ?? ""));
      const [counts, own] = await database.batch([
        database
          .select({ used: tenantCounts.a2a_tasks, quotas: tenants.quotas })
          .from(tenantCounts)
          .innerJoin(tenants, eq(tenants.id, tenantCounts.tenant_id))
          .where(eq(tenantCounts.tenant_id, tenantId)),
        database.select({ used: count() }).from(a2aTasks).where(ofEndUser),
      ]);
      const quota = counts[0]?.quotas.a2a_tasks ?? DEFAULT_QUOTAS.a2a_tasks;
      if ((counts[0]?.used ?? 0) >= quota) return false;
      const share = Math.ceil((quota * END_USER_A2A_TASKS_PERCENT) / PERCENT);
      return endUserId === null || (own[0]?.used ?? 0) < share;
    },
  };
}

/** Deletes the oldest rows that are past their time, at most as many. @returns how many. @throws when D1 fails. */
export async function purgeA2aTasks(
  binding: D1Database,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<number> {
  // Ids sort by time, and so does the key.
  const { results } = await binding
    .prepare(
      `DELETE FROM a2a_tasks WHERE id IN (SELECT id FROM a2a_tasks WHERE id < ?1 ORDER BY id LIMIT ?2)
       RETURNING 1 AS deleted`,
    )
    .bind(formatId("rep", nowMs - A2A_TASKS_KEPT_MS, new Uint8Array(ID_RANDOM_BYTES)), most)
    .all();
  return results.length;
}

/** The name of the page that begins behind a task. */
export function a2aPageToken({ status_at, id }: Position): string {
  return encodePageToken(`${status_at} ${id}`);
}

/** A row value comparison, so that the list's index is entered at the position. */
function isBehind({ status_at, id }: Position) {
  return sql`(${a2aTasks.status_at}, ${a2aTasks.id}) < (${status_at}, ${id})`;
}

function readPosition(token: string): Position | null {
  const [status_at = "", id = "", ...rest] = decodeToken(token)?.split(" ") ?? [];
  const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(status_at);
  return isTime && rest.length === 0 && isId("rep", id) ? { status_at, id } : null;
}
