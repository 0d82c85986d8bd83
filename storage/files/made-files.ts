// Files that tools and models have made, and of which D1 does not know whether an event names them: a machine that is
// lost between the two leaves such a file.
import { MADE_FILE_ASKED_AGAIN_MS, MAX_ASKED_FILES } from "../../protocol/files/limits.ts";

export interface UnconfirmedFile {
  readonly id: string;
  readonly tenant_id: string;
  readonly due_at: string;
  /** The sessions that refer to it: the one that has made it, and its forks. */
  readonly session_ids: readonly string[];
}

/** The files that are due to be asked about, the oldest first. */
export async function findUnconfirmed(
  db: D1Database,
  nowMs: number,
): Promise<readonly UnconfirmedFile[]> {
  const due = await db
    .prepare(
      `SELECT id, tenant_id, due_at, (SELECT json_group_array(session_id) FROM file_references
         WHERE file_id = files.id) AS session_ids
       FROM files WHERE due_at IS NOT NULL AND due_at <= ?1 AND status = 'ready'
       ORDER BY due_at LIMIT ?2`,
    )
    .bind(new Date(nowMs).toISOString(), MAX_ASKED_FILES)
    .all<{ id: string; tenant_id: string; due_at: string; session_ids: string }>();
  return due.results.map((row) => {
    return { ...row, session_ids: JSON.parse(row.session_ids) as readonly string[] };
  });
}

/**
 * `named`: it stays. `unnamed`: it is deleted. `unknown`: it is asked about again later. A file that was made once more
 * meanwhile is left alone.
 */
export async function settleUnconfirmed(
  db: D1Database,
  { id, due_at }: Pick<UnconfirmedFile, "id" | "due_at">,
  answer: "named" | "unnamed" | "unknown",
  nowMs: number,
): Promise<void> {
  const status = answer === "unnamed" ? "deleting" : "ready";
  const laterMs = answer === "unknown" ? MADE_FILE_ASKED_AGAIN_MS : 0;
  await db
    .prepare(
      "UPDATE files SET status = ?3, due_at = ?4 WHERE id = ?1 AND due_at = ?2 AND status = 'ready'",
    )
    .bind(id, due_at, status, answer === "named" ? null : new Date(nowMs + laterMs).toISOString())
    .run();
}
