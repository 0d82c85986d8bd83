// The steps in which a call is decided, as docs/permissions.md numbers them.
import type { PermissionMode, RuleTestResult } from "../../../sdk/index.ts";

const RULE_STEPS: Readonly<Record<string, number>> = { deny: 1, ask: 3, allow: 7 };
/** Reason for asking about untrusted content; in mode `dont_ask` it follows the words that make a question a denial. */
const UNTRUSTED = /(?:^|Original reason: )Untrusted content:/;
const BY_MODE = /^(?:Mode: |Bypass mode|User is not available)/;

/** The step that has decided. Without a rule the platform says it in words alone: `reason`. */
export function decidedStep(
  { rule, reason, behavior }: Pick<RuleTestResult, "rule" | "reason" | "behavior">,
  mode: PermissionMode,
): number {
  if (rule) return RULE_STEPS[rule.behavior] ?? 8;
  if (UNTRUSTED.test(reason ?? "")) return 2;
  if (reason === "Read-only operations are auto-allowed") return 4;
  if (mode === "explore" && behavior === "deny") return 5;
  return BY_MODE.test(reason ?? "") ? 8 : 6;
}
