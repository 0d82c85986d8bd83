import type { ErrorCode } from "../protocol/errors.ts";

/** Why a session may refuse an answer to a call that waits, by whichever way the answer comes. */
export const ANSWER_REFUSALS = [
  "tool_name_changed",
  "edited_input_invalid",
  "denied_by_rule",
  "rule_not_suggested",
  "call_not_pending",
  "confirmation_used",
  "input_hash_mismatch",
] as const satisfies readonly ErrorCode[];
