// Which refusals of a run are events of its stream. No zod here.
import type { ErrorCode } from "../../errors.ts";

/**
 * What is wrong with a run as the next step of its conversation. AG-UI tells of it inside of a run, as `RUN_ERROR`; all
 * other refusals are problems before any stream.
 */
export const RUN_REFUSALS: readonly ErrorCode[] = [
  "interrupts_open",
  "interrupt_unknown",
  "resume_invalid",
  "run_empty",
  "confirmation_used",
  "call_not_pending",
  "tool_name_changed",
  "edited_input_invalid",
  "input_hash_missing",
  "input_hash_mismatch",
  "denied_by_rule",
  "rule_not_suggested",
  "rules_forbidden",
  "state_invalid",
];
