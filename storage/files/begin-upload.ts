import { and, eq, sql } from "drizzle-orm";

import type { StoredFile } from "../../protocol/files/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { COUNTED_FILE_BYTES, UPLOAD_ABANDONED_MS } from "../../protocol/files/limits.ts";
import { batchChecked, checkShare, ofSession } from "../quotas/check-share.ts";
import type { Database } from "../statements/database.ts";
import { HOLDER } from "../quotas/holder-of.ts";
import { fileReferences, files } from "./table.ts";

/** `bytes` are what the upload announces; zero when it announces nothing. */
export type NewFile = Omit<StoredFile, "url">;
export type BegunUpload = "uploading" | "ready" | "deleting";

/** See `FileStorage.begin`. */
export async function beginUpload(
  database: Database,
  tenantId: string,
  { id, session_id, name, media_type, bytes, created_at }: NewFile,
  share?: EndUserShareChange,
): Promise<BegunUpload | null> {
  const dueAt = new Date(Date.parse(created_at) + UPLOAD_ABANDONED_MS).toISOString();
  const isThere = sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${tenantId} AND deleted_at IS NULL)
    AND (${session_id} IS NULL OR EXISTS (SELECT 1 FROM sessions
      WHERE id = ${session_id} AND tenant_id = ${tenantId} AND deleted_at IS NULL))`;
  const check =
    share && session_id !== null
      ? checkShare(database, {
          tenantId,
          quota: "stored_bytes",
          share,
          of: sql`${ofSession(session_id, sql`max(${bytes}, ${COUNTED_FILE_BYTES})`)}
            AND NOT EXISTS (SELECT 1 FROM files WHERE id = ${id})`,
        })
      : undefined;
  const holder = sql`(SELECT ${sql.raw(HOLDER)} FROM sessions WHERE id = ${session_id})`;
  const [, , [row]] = await batchChecked(database, check, [
    // In the order of the table's columns.
    database
      .insert(files)
      .select(
        sql`SELECT ${id}, ${tenantId}, ${session_id}, ${name}, ${media_type}, ${bytes}, NULL,
          'uploading', ${created_at}, ${dueAt}, ${holder} WHERE ${isThere}`,
      )
      // An upload of the same content that was abandoned: its time begins anew.
      .onConflictDoUpdate({
        target: files.id,
        set: { due_at: dueAt },
        setWhere: and(eq(files.tenant_id, tenantId), eq(files.status, "uploading")),
      }),
    database
      .insert(fileReferences)
      .select(
        sql`SELECT ${tenantId}, ${session_id}, ${id}, NULL
          WHERE ${session_id} IS NOT NULL AND ${isThere}
            AND EXISTS (SELECT 1 FROM files WHERE id = ${id} AND tenant_id = ${tenantId})`,
      )
      .onConflictDoNothing(),
    database
      .select({ status: files.status })
      .from(files)
      .where(and(eq(files.id, id), eq(files.tenant_id, tenantId), isThere)),
  ]);
  // Ids of files are not those of skills.
  return !row || row.status === "skill" ? null : row.status;
}
