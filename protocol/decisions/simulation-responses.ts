// Response schemas of a comparison of two permissions, for the OpenAPI document.
import { z } from "zod";

import { RuleTestResultSchema } from "../permission/rule-test-result.ts";
import { DecisionSchema } from "../confirmations/responses-people.ts";

const OutcomeSchema = RuleTestResultSchema.omit({ suggested_rules: true });

/** A call of the past about which the two permissions differ. */
export const SimulatedCallSchema = DecisionSchema.pick({
  reply_id: true,
  tool_call_id: true,
  tool_name: true,
  decided_at: true,
}).extend({
  session_id: z.string(),
  /** The recorded decision, by the rules of that time. */
  recorded: OutcomeSchema,
  /** The decision of the version's permission, with the session's own rules of that time. */
  before: OutcomeSchema,
  /** The decision of the request's permission, with the same rules of the session. */
  after: OutcomeSchema,
});

const count = z.number().int().nonnegative();

export const SimulationSchema = z.object({
  /** Calls that would be decided otherwise, by session, newest first in each. */
  data: z.array(SimulatedCallSchema),
  /** Sessions of this page that answered. */
  sessions: count,
  /** Sessions of this page that did not answer in time, or cannot be read. */
  sessions_failed: count,
  /** Calls of this page that were compared. */
  calls: count,
  /** Calls that were not: the version lacks their tool, or their input cannot be read any more. */
  calls_skipped: count,
  has_more: z.boolean(),
  next_page: z.string().nullable(),
});
