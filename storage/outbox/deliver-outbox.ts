// The D1 side of a session's outbox. Plain SQL: each statement asks whether the session is still there, and
// whether what stands in the row is older.
import { getTextContent } from "../../protocol/messages/accessors.ts";
import type { PendingCall, ReplyStatus } from "../../protocol/api/replies.ts";
import type { SessionStatus } from "../../protocol/api/sessions.ts";
import { MAX_LISTED_MESSAGE_BYTES, MAX_LISTED_TEXT_BYTES } from "../../protocol/limits/outbox.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { putPending } from "./put-pending.ts";
import { putUsage, type UsageEntry } from "./usage-delivery.ts";

/** How a reply stood when it ended or began to wait. */
export interface OutboxEntry extends UsageEntry {
  readonly reply_status: ReplyStatus;
  readonly session_status: SessionStatus;
  /** Calls that wait for somebody outside. */
  readonly pending: readonly PendingCall[];
  /** `https://host` that addresses sent out begin with; null when the session does not know one. */
  readonly origin: string | null;
  readonly cursor: number;
  /** Of the object's database. */
  readonly bytes: number;
  /** Those of this reply, its own last. */
  readonly messages: readonly Msg[];
}

/** True while the session is listed: what comes after its deletion has begun must not bring anything back. */
const IF_SESSION = `WHERE EXISTS (SELECT 1 FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)`;

/** With the time of the session's creation, in whose order the index of states is. */
const PUT_STATE = `INSERT INTO session_states (session_id, tenant_id, entry, status, agent_version,
  reply_id, reply_status, pending, cursor, updated_at, bytes, session_created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, created_at FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL
  ON CONFLICT (session_id) DO UPDATE SET entry = excluded.entry, status = excluded.status,
  agent_version = excluded.agent_version, reply_id = excluded.reply_id,
  reply_status = excluded.reply_status, pending = excluded.pending, cursor = excluded.cursor,
  updated_at = excluded.updated_at, bytes = excluded.bytes, session_created_at = excluded.session_created_at
  WHERE excluded.entry > session_states.entry`;

const PUT_MESSAGE = `INSERT INTO messages (session_id, tenant_id, entry, id, reply_id, role, text,
  body, body_bytes, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 ${IF_SESSION}
  ON CONFLICT (session_id, id) DO UPDATE SET entry = excluded.entry, reply_id = excluded.reply_id,
  role = excluded.role, text = excluded.text, body = excluded.body,
  body_bytes = excluded.body_bytes, created_at = excluded.created_at
  WHERE excluded.entry > messages.entry`;

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
      ...entry.messages.map((message) => putMessage(database, entry, message)),
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
      entry.reply_id,
      entry.reply_status,
      entry.pending.length,
      entry.cursor,
      entry.at,
      entry.bytes,
    );
}

function putMessage(
  database: D1Database,
  { session_id, tenant_id, entry, reply_id }: OutboxEntry,
  message: Msg,
): D1PreparedStatement {
  const body = JSON.stringify(message);
  const bodyBytes = new TextEncoder().encode(body).byteLength;
  const text = getTextContent(message);
  return database
    .prepare(PUT_MESSAGE)
    .bind(
      session_id,
      tenant_id,
      entry,
      message.id,
      reply_id,
      message.role,
      text === null ? null : cutOff(text, MAX_LISTED_TEXT_BYTES),
      bodyBytes < MAX_LISTED_MESSAGE_BYTES ? body : null,
      bodyBytes,
      message.created_at,
    );
}

/** The longest beginning of whole characters that fits. */
function cutOff(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its units.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
