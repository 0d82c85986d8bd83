// The D1 side of what a session's outbox says about usage: a row for each reply, and their sums by day, which are what
// reports read.
import type { Usage } from "../../protocol/messages/messages.ts";

/** What a reply has used, without anything that was said in it. */
export interface UsageEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly reply_id: string;
  /** Grows in its session: an older entry never overwrites a newer one. */
  readonly entry: number;
  /** ISO 8601, UTC; its day is the day of the usage. */
  readonly at: string;
  /** Of the whole reply so far; null when no model was called. */
  readonly usage: Usage | null;
  readonly model_name: string;
}

/** What was used stays to be billed, also when the deletion of the session has begun. */
const IF_KNOWN = "WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2)";

/**
 * What an entry changes of the sums: its own numbers come, and those that the reply's row still has go, from another
 * day or model if that is where they are. Nothing for an entry that the row would not take either.
 */
const ADD_TO_DAYS = `INSERT INTO usage_days (tenant_id, day, agent_id, model_name, replies,
  input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens)
  SELECT ?2, day, agent_id, model_name, sum(replies), sum(input_tokens), sum(output_tokens),
  sum(cache_input_tokens), sum(cache_creation_input_tokens)
  FROM (SELECT ?7 AS day, ?5 AS agent_id, ?6 AS model_name, 1 AS replies, ?8 AS input_tokens,
    ?9 AS output_tokens, ?10 AS cache_input_tokens, ?11 AS cache_creation_input_tokens
    UNION ALL SELECT day, agent_id, model_name, -1, -input_tokens, -output_tokens,
    -cache_input_tokens, -cache_creation_input_tokens
    FROM usage WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4)
  ${IF_KNOWN} AND NOT EXISTS (SELECT 1 FROM usage
    WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4 AND entry >= ?3)
  GROUP BY day, agent_id, model_name
  ON CONFLICT (tenant_id, day, agent_id, model_name) DO UPDATE SET
  replies = replies + excluded.replies, input_tokens = input_tokens + excluded.input_tokens,
  output_tokens = output_tokens + excluded.output_tokens,
  cache_input_tokens = cache_input_tokens + excluded.cache_input_tokens,
  cache_creation_input_tokens = cache_creation_input_tokens + excluded.cache_creation_input_tokens
  WHERE (excluded.replies, excluded.input_tokens, excluded.output_tokens,
    excluded.cache_input_tokens, excluded.cache_creation_input_tokens) <> (0, 0, 0, 0, 0)`;

const PUT_USAGE = `INSERT INTO usage (session_id, tenant_id, entry, reply_id, agent_id, model_name,
  day, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 ${IF_KNOWN}
  ON CONFLICT (tenant_id, session_id, reply_id) DO UPDATE SET entry = excluded.entry,
  agent_id = excluded.agent_id, model_name = excluded.model_name, day = excluded.day,
  input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
  cache_input_tokens = excluded.cache_input_tokens,
  cache_creation_input_tokens = excluded.cache_creation_input_tokens
  WHERE excluded.entry > usage.entry`;

/** Writes what replies have used and nothing else of them. @throws when D1 does not take it. */
export async function deliverUsage(
  database: D1Database,
  entries: readonly UsageEntry[],
): Promise<void> {
  const statements = entries.flatMap((entry) => putUsage(database, entry));
  if (statements.length > 0) await database.batch(statements);
}

/**
 * Two statements, of one transaction and in this order: the sums by what the row still says, then the row. Nothing for
 * a reply that has called no model.
 */
export function putUsage(
  database: D1Database,
  { usage, ...entry }: UsageEntry,
): readonly D1PreparedStatement[] {
  if (!usage) return [];
  const values = [
    entry.session_id,
    entry.tenant_id,
    entry.entry,
    entry.reply_id,
    entry.agent_id,
    entry.model_name,
    entry.at.slice(0, "YYYY-MM-DD".length),
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_input_tokens,
    usage.cache_creation_input_tokens,
  ];
  return [ADD_TO_DAYS, PUT_USAGE].map((query) => database.prepare(query).bind(...values));
}
