// Deletes files that nothing needs any more: first the objects in R2, then the rows, so that an interrupted deletion is
// found again by its rows. All of it is idempotent and bounded.
import { eq } from "drizzle-orm";

import {
  MAX_COMPARED_OBJECTS,
  MAX_ERASED_FILES,
  OBJECT_UNKNOWN_MS,
} from "../../protocol/files/limits.ts";
import { openDatabase } from "../statements/database.ts";
import { fileReferences } from "./table.ts";
import { fileKey, parseFileKey, tenantPrefix } from "./file-key.ts";
import { releaseFiles } from "./release-files.ts";

interface FileBindings {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
}

interface DueFile {
  readonly id: string;
  readonly tenant_id: string;
}

/**
 * Of an upload that is abandoned the row says `deleting` before the object goes: it cannot become readable then. Complete
 * files are asked about first (`made-files.ts`).
 */
const TAKE_DUE = `UPDATE files SET status = 'deleting' WHERE id IN
    (SELECT id FROM files WHERE due_at IS NOT NULL AND due_at <= ?1 AND status <> 'ready'
     ORDER BY due_at LIMIT ?2)
  RETURNING id, tenant_id`;

/** @returns how many were deleted: {@link MAX_ERASED_FILES} when there may be more. @throws when D1 or R2 fails. */
export async function eraseDueFiles(env: FileBindings, nowMs: number): Promise<number> {
  const due = await env.DB.prepare(TAKE_DUE)
    .bind(new Date(nowMs).toISOString(), MAX_ERASED_FILES)
    .all<DueFile>();
  await eraseFiles(env, due.results);
  return due.results.length;
}

/** Deletes files whose rows say `deleting`. At most {@link MAX_ERASED_FILES} at a time. */
export async function eraseFiles(
  { DB, FILES }: FileBindings,
  due: readonly DueFile[],
): Promise<void> {
  if (due.length === 0) return;
  await FILES.delete(due.map(({ id, tenant_id }) => fileKey(tenant_id, id)));
  const ids = JSON.stringify(due.map(({ id }) => id));
  const ofThese = "IN (SELECT value FROM json_each(?1))";
  await DB.batch([
    DB.prepare(`DELETE FROM file_references WHERE file_id ${ofThese}`).bind(ids),
    DB.prepare(`DELETE FROM files WHERE id ${ofThese} AND status = 'deleting'`).bind(ids),
  ]);
}

/** Settles the references of forks: those of a session that was not listed in time are let go. @returns how many. */
export async function settleReferences({ DB }: FileBindings, nowMs: number): Promise<number> {
  const now = new Date(nowMs).toISOString();
  const due = await DB.prepare(
    `SELECT DISTINCT r.tenant_id, r.session_id, s.id IS NOT NULL AS is_listed
     FROM (SELECT tenant_id, session_id FROM file_references
       WHERE due_at IS NOT NULL AND due_at <= ?1 ORDER BY due_at LIMIT ?2) r
     LEFT JOIN sessions s ON s.id = r.session_id`,
  )
    .bind(now, MAX_ERASED_FILES)
    .all<{ tenant_id: string; session_id: string; is_listed: number }>();
  const database = openDatabase(DB);
  for (const { tenant_id, session_id, is_listed } of due.results) {
    const keep = database
      .update(fileReferences)
      .set({ due_at: null })
      .where(eq(fileReferences.session_id, session_id));
    // A session after the other: each may refer to many files.
    if (is_listed) await keep;
    else
      await database.batch(
        releaseFiles(database, { tenantId: tenant_id, sessionId: session_id, now }),
      );
  }
  return due.results.length;
}

/**
 * Compares the next objects in R2 with the rows, and deletes those without one: a crash between the two leaves such an
 * object when its row was deleted while its bytes still came. A round over all objects begins anew at its end.
 */
export async function eraseUnknownObjects(
  { DB, FILES }: FileBindings,
  nowMs: number,
): Promise<void> {
  const row = await DB.prepare("SELECT cursor FROM file_sweep WHERE id = 1").first<{
    cursor: string | null;
  }>();
  const page = await FILES.list({
    prefix: "tenant/",
    limit: MAX_COMPARED_OBJECTS,
    ...(row?.cursor != null && { cursor: row.cursor }),
  });
  const old = page.objects.flatMap(({ key, uploaded }) => {
    const ids = uploaded.getTime() < nowMs - OBJECT_UNKNOWN_MS ? parseFileKey(key) : null;
    return ids ? [{ key, id: ids.file_id }] : [];
  });
  if (old.length > 0) {
    const known = await DB.prepare(
      "SELECT id FROM files WHERE id IN (SELECT value FROM json_each(?1))",
    )
      .bind(JSON.stringify(old.map(({ id }) => id)))
      .all<{ id: string }>();
    const ids = new Set(known.results.map(({ id }) => id));
    const unknown = old.filter(({ id }) => !ids.has(id));
    if (unknown.length > 0) await FILES.delete(unknown.map(({ key }) => key));
  }
  const cursor = page.truncated ? page.cursor : null;
  if (cursor === (row?.cursor ?? null)) return;
  await DB.prepare(
    "INSERT INTO file_sweep (id, cursor) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET cursor = ?1",
  )
    .bind(cursor)
    .run();
}

/** Deletes objects of a closed tenant. @returns whether none is left. */
export async function eraseTenantObjects(bucket: R2Bucket, tenantId: string): Promise<boolean> {
  const page = await bucket.list({ prefix: tenantPrefix(tenantId), limit: MAX_ERASED_FILES });
  if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  return !page.truncated;
}
