// Permission rules that decide about no call. Pure, and cautious: a rule that may decide is not among them.
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { MCP_NAME_PREFIX } from "../../protocol/tools/contract.ts";
import type { Warning } from "../../protocol/warning.ts";
import { silentContent } from "../permission/silent-content.ts";
import { type KnownTools, PLATFORM_TOOLS } from "./known-tools.ts";

/** All rules that calls are checked against, in their order. */
export interface RuleOrder {
  readonly rules: readonly PermissionRule[];
  /** The words for one of them, such as `rule 1`. */
  readonly nameOf: (index: number) => string;
}

/** The reason that the rule decides about no call, with its place behind `pointer`; empty when it may decide one. */
export function ruleWarnings(
  order: RuleOrder,
  index: number,
  known: KnownTools,
  pointer: string,
): readonly Warning[] {
  const rule = order.rules[index];
  if (!rule) return [];
  const { tool_name } = rule;
  if (!known.mayHave(tool_name)) {
    return [{ pointer: `${pointer}/tool_name`, detail: known.lacksAsYet(tool_name) }];
  }
  const stronger = strongerRule(order.rules, index);
  if (stronger !== null) {
    const detail = `${order.nameOf(stronger)} decides every call of ${tool_name} that this one could`;
    return [{ pointer, detail }];
  }
  const detail = contentProblem(rule, known);
  return detail === null ? [] : [{ pointer: `${pointer}/rule_content`, detail }];
}

function contentProblem(rule: PermissionRule, known: KnownTools): string | null {
  const tool = known.named.get(rule.tool_name);
  if (tool) return "input_schema" in tool ? silentContent(rule, tool) : null;
  // The platform's own tools say themselves what a content is matched with.
  if (!rule.rule_content || PLATFORM_TOOLS.includes(rule.tool_name)) return null;
  const whose = rule.tool_name.startsWith(MCP_NAME_PREFIX) ? "MCP servers" : "pages";
  return `tools of ${whose} have no rule_argument, so that a rule with content fits none of their calls`;
}

/** The place of a rule that comes first for every call which this one fits; null when there is none. */
function strongerRule(rules: readonly PermissionRule[], index: number): number | null {
  const rule = rules[index];
  const found = rules.findIndex((other, place) => {
    if (place === index || other.tool_name !== rule?.tool_name) return false;
    const isWhole = !other.rule_content;
    const isEqual = other.rule_content === rule.rule_content || (isWhole && !rule.rule_content);
    const isFirst = place < index;
    if (other.behavior === rule.behavior) {
      // Of allow rules, one for the whole tool comes before those with content.
      if (isWhole && rule.behavior === "allow") return isFirst || Boolean(rule.rule_content);
      return isFirst && (isWhole || isEqual);
    }
    return isWhole && RANKS[other.behavior] < RANKS[rule.behavior];
  });
  return found === -1 ? null : found;
}

const RANKS: Readonly<Record<PermissionRule["behavior"], number>> = {
  deny: 0,
  ask: 1,
  allow: 2,
  passthrough: 2,
};
