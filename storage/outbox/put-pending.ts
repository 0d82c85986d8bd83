// Writes the waiting calls of a session's outbox entries to D1.
import type { PendingCall } from "../../protocol/replies/contract.ts";
import {
  MAX_LISTED_CALL_BYTES,
  MAX_LISTED_CALLS,
  MAX_LISTED_CALLS_BYTES,
} from "../../protocol/confirmations/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";

interface PendingEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly reply_id: string;
  readonly entry: number;
  readonly pending: readonly PendingCall[];
  readonly at: string;
}

/**
 * Writes all rows in one statement. A new call is only inserted when no newer entry was delivered before. For a listed
 * call, an older entry that arrives late may still correct `asked_at` to the earlier time.
 */
const PUT_PENDING = `INSERT INTO pending_calls (session_id, tenant_id, entry, reply_id, agent_id,
  end_user_id, asked_at, tool_call_id, kind, tool_name, call, expires_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, value ->> 'tool_call_id', value ->> 'kind',
  value ->> 'tool_name', value ->> 'call', value ->> 'expires_at' FROM json_each(?8)
  WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)
  AND (NOT EXISTS (SELECT 1 FROM session_states WHERE session_id = ?1 AND entry > ?3)
    OR EXISTS (SELECT 1 FROM pending_calls AS known
      WHERE known.session_id = ?1 AND known.tool_call_id = value ->> 'tool_call_id'))
  ON CONFLICT (session_id, tool_call_id) DO UPDATE SET
  asked_at = min(asked_at, excluded.asked_at), entry = max(entry, excluded.entry),
  call = iif(excluded.entry > entry, excluded.call, call),
  expires_at = iif(excluded.entry > entry, excluded.expires_at, expires_at)`;

const CLEAR_PENDING = `DELETE FROM pending_calls
  WHERE session_id = ?1 AND tenant_id = ?2 AND entry < ?3`;

/**
 * At most two statements, after the one for the session's state in the same batch: they insert this entry's calls and
 * delete the calls of older entries that it no longer contains.
 */
export function putPending(
  database: D1Database,
  { pending, ...entry }: PendingEntry,
): readonly D1PreparedStatement[] {
  const { session_id, tenant_id, reply_id, agent_id, end_user_id, at } = entry;
  const clear = database.prepare(CLEAR_PENDING).bind(session_id, tenant_id, entry.entry);
  if (pending.length === 0) return [clear];
  const put = database
    .prepare(PUT_PENDING)
    .bind(
      session_id,
      tenant_id,
      entry.entry,
      reply_id,
      agent_id,
      end_user_id,
      at,
      JSON.stringify(toRows(pending)),
    );
  return [put, clear];
}

/**
 * Limited in number and size: a call that is too large, alone or with those before it, is listed without its content.
 */
function toRows(pending: readonly PendingCall[]) {
  let listedBytes = 0;
  return pending.slice(0, MAX_LISTED_CALLS).map((call) => {
    const text = JSON.stringify(call);
    // The text is embedded in a JSON text: its size counts after being escaped once more.
    const textBytes = utf8Bytes(JSON.stringify(text));
    const isListed =
      textBytes <= MAX_LISTED_CALL_BYTES && listedBytes + textBytes <= MAX_LISTED_CALLS_BYTES;
    if (isListed) listedBytes += textBytes;
    return {
      tool_call_id: call.tool_call.id,
      kind: call.kind,
      tool_name: call.tool_call.name,
      call: isListed ? text : null,
      expires_at: call.expires_at,
    };
  });
}
