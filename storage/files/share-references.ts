import { and, eq, sql } from "drizzle-orm";

import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { fileReferences } from "./table.ts";

/** Lets a session that is listed refer to these files, so far as the other one does. */
export async function shareReferences(
  database: Database,
  tenantId: string,
  sourceId: string,
  sessionId: string,
  fileIds: readonly string[],
): Promise<void> {
  const shared = database
    .select({
      tenant_id: fileReferences.tenant_id,
      session_id: sql`${sessionId}`.as("session_id"),
      file_id: fileReferences.file_id,
      due_at: sql`NULL`.as("due_at"),
    })
    .from(fileReferences)
    .where(
      and(
        eq(fileReferences.tenant_id, tenantId),
        eq(fileReferences.session_id, sourceId),
        isOneOf(fileReferences.file_id, fileIds),
      ),
    );
  await database.insert(fileReferences).select(shared).onConflictDoNothing();
}
