import { and, eq, inArray, isNotNull, not, sql } from "drizzle-orm";

import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { fileReferences, files } from "./table.ts";

interface ReleasedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly now: string;
}

/**
 * The statements that let go of the files of a session whose row is gone: those that no other session refers to are due
 * to be deleted at once; then the references go. Files of the tenant stay.
 */
export function releaseFiles(database: Database, { tenantId, sessionId, now }: ReleasedSession) {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId})`;
  const isOfSession = sql`tenant_id = ${tenantId} AND session_id = ${sessionId} AND ${isGone}`;
  return [
    database
      .update(files)
      .set({ status: "deleting", due_at: now })
      .where(
        sql`session_id IS NOT NULL AND tenant_id = ${tenantId} AND ${isGone}
          AND id IN (SELECT file_id FROM file_references
            WHERE tenant_id = ${tenantId} AND session_id = ${sessionId})
          AND NOT EXISTS (SELECT 1 FROM file_references AS other
            WHERE other.file_id = files.id AND other.session_id <> ${sessionId})`,
      ),
    database.delete(fileReferences).where(isOfSession),
  ] as const;
}

/**
 * The statements that drop a session's references to all files but these. Those of a session that nothing else refers to
 * are due to be deleted: what they were uploaded for was deleted meanwhile.
 */
export function dropReferences(
  database: Database,
  { tenantId, sessionId, now }: ReleasedSession,
  keptIds: readonly string[],
) {
  const isDropped = and(
    eq(fileReferences.tenant_id, tenantId),
    eq(fileReferences.session_id, sessionId),
    not(isOneOf(fileReferences.file_id, keptIds)),
  );
  const dropped = database
    .select({ id: fileReferences.file_id })
    .from(fileReferences)
    .where(isDropped);
  return [
    database
      .update(files)
      .set({ status: "deleting", due_at: now })
      .where(
        and(
          eq(files.tenant_id, tenantId),
          isNotNull(files.session_id),
          inArray(files.id, dropped),
          sql`NOT EXISTS (SELECT 1 FROM file_references AS other
            WHERE other.file_id = files.id AND other.session_id <> ${sessionId})`,
        ),
      ),
    database.delete(fileReferences).where(isDropped),
  ] as const;
}
