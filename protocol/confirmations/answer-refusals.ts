import type { ErrorCode } from "../errors.ts";

/** The errors with which a session refuses an answer to a waiting call, for every route that takes answers. */
export const ANSWER_REFUSALS = [
  "tool_name_changed",
  "edited_input_invalid",
  "denied_by_rule",
  "rule_not_suggested",
  "call_not_pending",
  "confirmation_used",
  "input_hash_mismatch",
] as const satisfies readonly ErrorCode[];
