// The work of an index of sessions, as D1 has it: which of them have changed, and pages of those that it has not seen. The index reads
// how a session is now, and not what has happened to it, so that neither order nor repetition can leave it wrong.
import type { SessionPosition } from "../sessions/session-position.ts";

/** A session as D1 has it; null where there is none any more, or its deletion has begun. */
export interface IndexedSession {
  readonly session_id: string;
  readonly created_at: string | null;
  readonly title: string | null;
  readonly first_words: string | null;
  /** Whether something was said in it, as far as D1 knows: 0 or 1. */
  readonly has_state: number;
}

interface ChangedSession extends IndexedSession {
  readonly mark: number;
}

/** The next work of an index. */
export interface SearchWork {
  readonly enabled: boolean;
  readonly made: string;
  readonly changed: readonly ChangedSession[];
  /** Older sessions than those that the index has seen, the newest first. */
  readonly older: readonly (IndexedSession & { readonly created_at: string })[];
}

interface WorkRequest {
  readonly tenantId: string;
  /** The oldest session that the index has seen; null when it has seen all. */
  readonly before: SessionPosition | null;
  /** Sessions of each kind. */
  readonly most: number;
}

/** The newest sessions are before it. */
export const BEFORE_NEWEST: SessionPosition = { created_at: "9999", id: "" };

const SETTING = "SELECT enabled, made FROM search_indexes WHERE tenant_id = ?1";

const COLUMNS = "s.title, t.first_words, t.session_id IS NOT NULL AS has_state";
const CHANGED = `SELECT c.session_id, c.mark, s.created_at, ${COLUMNS} FROM search_changes c
  LEFT JOIN sessions s ON s.id = c.session_id AND s.tenant_id = c.tenant_id AND s.deleted_at IS NULL
  LEFT JOIN session_states t ON t.session_id = s.id AND t.tenant_id = s.tenant_id
  WHERE c.tenant_id = ?1 LIMIT ?2`;

const OLDER = `SELECT s.id AS session_id, s.created_at, ${COLUMNS} FROM sessions s
  LEFT JOIN session_states t ON t.session_id = s.id AND t.tenant_id = s.tenant_id
  WHERE s.tenant_id = ?1 AND (s.created_at, s.id) < (?3, ?4) AND s.deleted_at IS NULL
  ORDER BY s.created_at DESC, s.id DESC LIMIT ?2`;

/** Null while the tenant has no index, nor a setting. One round trip. @throws when D1 fails. */
export async function readSearchWork(
  database: D1Database,
  { tenantId, before, most }: WorkRequest,
): Promise<SearchWork | null> {
  const statements = [
    database.prepare(SETTING).bind(tenantId),
    database.prepare(CHANGED).bind(tenantId, most),
    ...(before ? [database.prepare(OLDER).bind(tenantId, most, before.created_at, before.id)] : []),
  ];
  const [setting, changed, older] = await database.batch<unknown>(statements);
  const [row] = (setting?.results ?? []) as { enabled: number; made: string }[];
  if (!row) return null;
  return {
    enabled: row.enabled === 1,
    made: row.made,
    changed: (changed?.results ?? []) as SearchWork["changed"],
    older: (older?.results ?? []) as SearchWork["older"],
  };
}

/**
 * Has a tenant's sessions marked from now on. A closed tenant gets none.
 * @param bytes Of an index without sessions: the setting may be turned off before it has told its size.
 */
export async function beginSearchIndex(
  database: D1Database,
  tenantId: string,
  bytes: number,
): Promise<void> {
  await database
    .prepare(
      `INSERT INTO search_indexes (tenant_id, enabled, made, bytes)
       SELECT id, 1, ?2, ?3 FROM tenants WHERE id = ?1 AND deleted_at IS NULL
       ON CONFLICT DO NOTHING`,
    )
    .bind(tenantId, crypto.randomUUID(), bytes)
    .run();
}

interface DoneWork {
  readonly tenantId: string;
  readonly made: string;
  readonly bytes: number;
  readonly changed: SearchWork["changed"];
}

const FORGET_CHANGES = `DELETE FROM search_changes WHERE tenant_id = ?1 AND (session_id, mark) IN (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?2))`;

/** The index has these changes on disk: takes their marks away, but for those that were set anew, and notes the size. */
export async function endSearchWork(
  database: D1Database,
  { tenantId, made, bytes, changed }: DoneWork,
): Promise<void> {
  const marks = JSON.stringify(changed.map(({ session_id, mark }) => [session_id, mark]));
  await database.batch([
    database.prepare(FORGET_CHANGES).bind(tenantId, marks),
    database
      .prepare(
        "UPDATE search_indexes SET bytes = ?3 WHERE tenant_id = ?1 AND made = ?2 AND bytes <> ?3",
      )
      .bind(tenantId, made, bytes),
  ]);
}
