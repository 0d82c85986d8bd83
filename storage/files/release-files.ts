import { sql } from "drizzle-orm";

import type { Database } from "../statements/database.ts";
import { fileReferences, files } from "../tables/file-schema.ts";

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
