import { eq } from "drizzle-orm";

import { sessions } from "../sessions/table.ts";
import { openDatabase } from "../statements/database.ts";

/** Whose a session is. Nothing of it changes while the session is there; a thread that is opened anew has the same id. */
export interface SessionOwner {
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  /** The session whose reply has called this one's agent; null for one that a request has opened. */
  readonly parent_session_id: string | null;
}

/**
 * Finds a session by its id alone: for requests whose credential does not tell the tenant. Null for one that is not there;
 * one that is about to be erased is.
 */
export async function findSessionOwner(
  binding: D1Database,
  sessionId: string,
): Promise<SessionOwner | null> {
  const [row] = await openDatabase(binding)
    .select({
      tenant_id: sessions.tenant_id,
      agent_id: sessions.agent_id,
      end_user_id: sessions.end_user_id,
      parent_session_id: sessions.parent_session_id,
    })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row ?? null;
}
