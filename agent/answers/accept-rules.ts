// Checks the permission rules that come with an answer: which of them this credential may add.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { MAX_RULE_NAME_CHARACTERS, MAX_RULE_CHARACTERS } from "../../protocol/permission/limits.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { AnswerRights } from "./answer-context.ts";
import { invalid, refuseAnswer } from "./answer-refusal.ts";

/**
 * The accepted rules, without duplicates. A rule that was suggested is taken as suggested, with its own `source`.
 * @param pointer JSON pointer of the list in the event.
 */
export function acceptRules(
  call: ToolCallBlock,
  given: readonly PermissionRule[],
  rights: AnswerRights,
  pointer: string,
): Result<readonly PermissionRule[]> {
  const tool_call_id = call.id;
  if (given.length > 0 && !rights.may_take_rules) {
    const detail = "This credential may not give rules.";
    return refuseAnswer("rules_forbidden", detail, { pointer, tool_call_id });
  }
  const taken = new Map<string, PermissionRule>();
  for (const [index, rule] of given.entries()) {
    const key = ruleKey(rule);
    const suggested = call.suggested_rules.find((candidate) => ruleKey(candidate) === key);
    const at = `${pointer}/${index}`;
    if (!suggested && !rights.may_write_rules) {
      const detail = "This rule was not suggested for the call.";
      return refuseAnswer("rule_not_suggested", detail, { pointer: at, tool_call_id });
    }
    const problem = suggested ? null : findRuleProblem(rule);
    if (problem) return invalid(`${at}/${problem.member}`, problem.detail);
    taken.set(key, suggested ?? rule);
  }
  return accept([...taken.values()]);
}

/** Whether both lists hold the same rules; order and `source` do not count. */
export function areSameRules(
  first: readonly PermissionRule[],
  second: readonly PermissionRule[],
): boolean {
  const keys = new Set(first.map(ruleKey));
  const others = new Set(second.map(ruleKey));
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

/** Identifies a rule by what it decides, without its `source`. */
export function ruleKey({ tool_name, rule_content, behavior }: PermissionRule): string {
  return JSON.stringify([tool_name, rule_content ?? "", behavior]);
}

function findRuleProblem(rule: PermissionRule): { member: string; detail: string } | null {
  const { tool_name, rule_content, behavior, source } = rule;
  if (behavior === "passthrough") {
    return { member: "behavior", detail: "A rule that passes through does nothing." };
  }
  if (tool_name.length === 0 || tool_name.length > MAX_RULE_NAME_CHARACTERS) {
    return {
      member: "tool_name",
      detail: `A tool's name has 1 to ${MAX_RULE_NAME_CHARACTERS} characters.`,
    };
  }
  if ((rule_content?.length ?? 0) > MAX_RULE_CHARACTERS) {
    return { member: "rule_content", detail: `At most ${MAX_RULE_CHARACTERS} characters.` };
  }
  if (source.length > MAX_RULE_NAME_CHARACTERS) {
    return { member: "source", detail: `At most ${MAX_RULE_NAME_CHARACTERS} characters.` };
  }
  return null;
}
