// Writes how a task of A2A stands to D1, from an entry of its session's outbox.
import { A2A_TASKS_KEPT_MS } from "../../protocol/a2a/limits.ts";
import type { A2aTaskState } from "../../protocol/a2a/wire.ts";

/** The part of an entry for a reply that is a task. */
export interface TaskState {
  readonly context_id: string;
  readonly state: A2aTaskState;
  /** When the reply began. */
  readonly created_at: string;
}

interface TaskEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly reply_id: string;
  readonly entry: number;
  readonly at: string;
  readonly a2a?: TaskState | undefined;
}

/**
 * Only while the session is listed, and no newer entry was written. A row that was purged stays so. A session that an agent has
 * called is no end user's.
 */
const PUT = `INSERT INTO a2a_tasks (id, tenant_id, agent_id, session_id, context_id, end_user_id,
  state, status_at, created_at, entry)
  SELECT ?4, ?2, ?5, ?1, ?6, CASE WHEN parent_session_id IS NULL THEN ?7 END, ?8, ?9, ?10, ?3 FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL AND ?10 >= ?11
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, status_at = excluded.status_at,
  entry = excluded.entry
  WHERE excluded.entry > a2a_tasks.entry AND a2a_tasks.tenant_id = excluded.tenant_id`;

/** None for a reply that is no task. */
export function putA2aTask(
  database: D1Database,
  { a2a, ...reply }: TaskEntry,
): readonly D1PreparedStatement[] {
  if (!a2a) return [];
  const { session_id, tenant_id, entry, reply_id, agent_id, end_user_id, at } = reply;
  const keptSince = new Date(Date.now() - A2A_TASKS_KEPT_MS).toISOString();
  const place = [session_id, tenant_id, entry, reply_id, agent_id];
  const values = [a2a.context_id, end_user_id, a2a.state, at, a2a.created_at, keptSince];
  return [database.prepare(PUT).bind(...place, ...values)];
}
