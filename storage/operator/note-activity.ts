import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { slotOf } from "../quotas/slot-of.ts";

/** Under the same conditions under which the entry changes the session's state, so that each end is counted once. */
const NOTE_END = `INSERT INTO activity (slot, kind, error_type, count)
  SELECT ?4, ?5, ?6, 1
  WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM session_states WHERE session_id = ?1 AND entry >= ?3)
  ON CONFLICT (slot, kind, error_type) DO UPDATE SET count = count + 1`;

const GOES_ON: readonly ReplyStatus[] = [
  "running",
  "awaiting_permission",
  "awaiting_external_result",
];

interface EndedReply {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly entry: number;
  readonly at: string;
  readonly reply_status: ReplyStatus;
  readonly error: Msg["error"];
}

/** Counts the end of a reply, for the operator. Goes before the statement for the session's state in the same batch. */
export function noteActivity(
  database: D1Database,
  { session_id, tenant_id, entry, at, reply_status, error }: EndedReply,
): readonly D1PreparedStatement[] {
  if (GOES_ON.includes(reply_status)) return [];
  const type = error?.type ?? "";
  const values = [session_id, tenant_id, entry, slotOf(at), reply_status, type];
  return [database.prepare(NOTE_END).bind(...values)];
}
