// Error codes of an AG-UI run that are reported as an event of its stream. No zod here: the SDK uses this file.
import type { ErrorCode } from "../errors.ts";

/**
 * Codes that say why a run cannot continue its conversation. AG-UI reports these within the run, as `RUN_ERROR`; all
 * others are `application/problem+json` answers before any stream.
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
