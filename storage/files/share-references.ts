import { and, eq, exists, isNull, sql } from "drizzle-orm";

import type { Database } from "../statements/database.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import { sessions } from "../sessions/table.ts";
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

interface RoomReferences {
  /** Sessions of the room, of which one refers to a file that is said there. */
  readonly from: readonly string[];
  /** The session of the agent that is told of it. */
  readonly to: string;
  readonly fileIds: readonly string[];
}

/** Lets the session of a room's agent refer to files that others have said. One that goes gets none. Repeatable. */
export async function shareInRoom(
  database: Database,
  tenantId: string,
  { from, to, fileIds }: RoomReferences,
): Promise<void> {
  const isListed = exists(
    database
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(eq(sessions.id, to), eq(sessions.tenant_id, tenantId), isNull(sessions.deleted_at)),
      ),
  );
  const shared = database
    .selectDistinct({
      tenant_id: fileReferences.tenant_id,
      session_id: sql`${to}`.as("session_id"),
      file_id: fileReferences.file_id,
      due_at: sql`NULL`.as("due_at"),
    })
    .from(fileReferences)
    .where(
      and(
        eq(fileReferences.tenant_id, tenantId),
        isOneOf(fileReferences.session_id, from),
        isOneOf(fileReferences.file_id, fileIds),
        isListed,
      ),
    );
  await database.insert(fileReferences).select(shared).onConflictDoNothing();
}
