// Sums of replies by hour, for plots.
import {
  FIRST_OUTPUT_BOUNDS_MS,
  type ReplyTimings,
  WAIT_BOUNDS_MS,
  bucketOf,
} from "../../protocol/usage/histograms.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { Msg, Usage } from "../../protocol/messages/messages.ts";

/**
 * Under the same conditions under which the entry changes the session's state, so that each end is counted once. Not
 * `sum`, which fails on integer overflow: a model's endpoint may report any counts.
 */
const NOTE_HOUR = `INSERT INTO reply_hours (tenant_id, hour, agent_id, model_name, counts)
  SELECT ?2, ?4, ?5, ?6, ?7
  WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM session_states WHERE session_id = ?1 AND entry >= ?3)
  ON CONFLICT (tenant_id, hour, agent_id, model_name) DO UPDATE SET counts = (
    SELECT json_group_object(key, added) FROM (
      SELECT key, CAST(total(value) AS INTEGER) AS added FROM (
        SELECT key, value FROM json_each(reply_hours.counts)
        UNION ALL SELECT key, value FROM json_each(excluded.counts)) GROUP BY key))`;

interface EndedReply {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly model_name: string;
  readonly entry: number;
  readonly at: string;
  readonly reply_status: ReplyStatus;
  readonly error: Msg["error"];
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly timings: ReplyTimings | null;
}

/** Counts the end of a reply. Goes before the statement for the session's state in the same batch. */
export function noteReplyHour(
  database: D1Database,
  reply: EndedReply,
): readonly D1PreparedStatement[] {
  const { timings } = reply;
  if (!timings) return [];
  const hour = reply.at.slice(0, "YYYY-MM-DDTHH".length);
  const { session_id, tenant_id, entry, agent_id, model_name } = reply;
  const counts = JSON.stringify(countsOf(reply, timings));
  const values = [session_id, tenant_id, entry, hour, agent_id, model_name, counts];
  return [database.prepare(NOTE_HOUR).bind(...values)];
}

function countsOf(
  { reply_status, error, usage, cost }: EndedReply,
  { first_output_ms, waits }: ReplyTimings,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { [reply_status]: 1 };
  const add = (key: string, value = 1) => (counts[key] = (counts[key] ?? 0) + value);
  if (error) add(`error_type.${error.type}`);
  if (first_output_ms !== null) {
    add(`first_output.${bucketOf(first_output_ms, FIRST_OUTPUT_BOUNDS_MS)}`);
  }
  for (const { kind, duration_ms } of waits) {
    add(`${kind}.${bucketOf(duration_ms, WAIT_BOUNDS_MS)}`);
  }
  if (!usage) return counts;
  add("input_tokens", usage.input_tokens);
  add("output_tokens", usage.output_tokens);
  if (cost === null) add("unpriced");
  else add("cost", cost);
  return counts;
}
