// Writes the permission decisions of a session's outbox entries to D1.
import type { Decision } from "../../protocol/permission/contract.ts";
import {
  DECISIONS_PER_STATEMENT,
  MAX_LISTED_REASON_CHARACTERS,
} from "../../protocol/permission/limits.ts";

/** A decision without the call's input. */
export interface ListedDecision extends Omit<Decision, "edited_input"> {
  /** The place among the decisions of its event. */
  readonly position: number;
  readonly is_edited: boolean;
}

interface DecisionEntry {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly decisions: readonly ListedDecision[];
}

/** A decision never changes: one that is delivered again is left as it is. */
const PUT_DECISIONS = `INSERT INTO decisions (tenant_id, decided_at, session_id, seq, position,
  reply_id, agent_id, end_user_id, tool_call_id, tool_name, behavior, reason, rule, decider_kind,
  decider_id, is_edited, decider_name)
  SELECT ?2, value ->> 'decided_at', ?1, value ->> 'seq', value ->> 'position',
  value ->> 'reply_id', ?3, ?4, value ->> 'tool_call_id', value ->> 'tool_name',
  value ->> 'behavior', value ->> 'reason', value ->> 'rule', value ->> 'decider_kind',
  value ->> 'decider_id', value ->> 'is_edited', value ->> 'decider_name' FROM json_each(?5)
  WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)
  ON CONFLICT DO NOTHING`;

/** No statement for an entry without decisions. */
export function putDecisions(
  database: D1Database,
  { tenant_id, session_id, agent_id, end_user_id, decisions }: DecisionEntry,
): readonly D1PreparedStatement[] {
  const statements: D1PreparedStatement[] = [];
  for (let first = 0; first < decisions.length; first += DECISIONS_PER_STATEMENT) {
    const rows = decisions.slice(first, first + DECISIONS_PER_STATEMENT).map(toRow);
    const values = [session_id, tenant_id, agent_id, end_user_id, JSON.stringify(rows)];
    statements.push(database.prepare(PUT_DECISIONS).bind(...values));
  }
  return statements;
}

function toRow({ reason, rule, decided_by, is_edited, ...decision }: ListedDecision) {
  return {
    ...decision,
    reason: reason?.slice(0, MAX_LISTED_REASON_CHARACTERS) ?? null,
    rule: rule && JSON.stringify(rule),
    decider_kind: decided_by.kind,
    decider_id: decided_by.id,
    is_edited: is_edited ? 1 : 0,
    decider_name: decided_by.name ?? null,
  };
}
