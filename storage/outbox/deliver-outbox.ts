// The D1 side of a session's outbox. Plain SQL: each statement asks whether the session is still there, and
// whether what stands in the row is older.
import type { PendingCall, ReplyStatus } from "../../protocol/api/replies.ts";
import type { SessionStatus } from "../../protocol/api/sessions.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { putPending } from "./put-pending.ts";
import { putUsage, type UsageEntry } from "./usage-delivery.ts";

/** How a reply stood when it ended or began to wait. */
export interface OutboxEntry extends UsageEntry {
  readonly agent_version: number;
  readonly end_user_id: string | null;
  readonly reply_status: ReplyStatus;
  readonly session_status: SessionStatus;
  /** Calls that wait for somebody outside. */
  readonly pending: readonly PendingCall[];
  /** `https://host` that addresses sent out begin with; null when the session does not know one. */
  readonly origin: string | null;
  readonly cursor: number;
  /** Of the object's database. */
  readonly bytes: number;
  /** Of a reply that failed. */
  readonly error: Msg["error"];
}

/**
 * While the session is listed: what comes after its deletion has begun must not bring anything back. With the time of the
 * session's creation, in whose order the index of states is.
 */
const PUT_STATE = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  bytes, session_created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, created_at FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET entry = excluded.entry, status = excluded.status,
  agent_version = excluded.agent_version, bytes = excluded.bytes,
  session_created_at = excluded.session_created_at
  WHERE excluded.entry > session_states.entry`;

/**
 * Writes the entries, all or none, in order. Delivering twice or out of order changes nothing, and of a session whose
 * deletion has begun only the usage is taken. One batch, which is one transaction and one call.
 * @throws when D1 does not take them.
 */
export async function deliverOutbox(
  database: D1Database,
  entries: readonly OutboxEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await database.batch(
    entries.flatMap((entry) => [
      putState(database, entry),
      ...putPending(database, entry),
      ...putUsage(database, entry),
    ]),
  );
}

function putState(database: D1Database, entry: OutboxEntry): D1PreparedStatement {
  return database
    .prepare(PUT_STATE)
    .bind(
      entry.session_id,
      entry.tenant_id,
      entry.entry,
      entry.session_status,
      entry.agent_version,
      entry.bytes,
    );
}
