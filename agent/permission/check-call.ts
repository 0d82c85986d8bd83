// From a call and the rules to a decision. Rules name whole tools so far, by exact name.
import type {
  PermissionBehavior,
  PermissionMode,
  PermissionRule,
} from "../../protocol/permission.ts";
import type { ToolDeclaration } from "../ports.ts";
import { decidePermission, type PermissionDecision } from "./decide.ts";

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
}

export type CallPermission = PermissionDecision & {
  /** Empty unless the decision suggests rules. */
  readonly suggestedRules: readonly PermissionRule[];
};

export function checkCall(context: PermissionContext, tool: ToolDeclaration): CallPermission {
  const decision = decidePermission({
    mode: context.mode,
    denyRule: findRule(context.rules, tool.name, "deny"),
    askRule: findRule(context.rules, tool.name, "ask"),
    allowRule: findRule(context.rules, tool.name, "allow"),
    isReadOnly: tool.read_only,
    toolCheck: "pass",
    toolReason: null,
  });
  const wholeTool: PermissionRule = {
    tool_name: tool.name,
    rule_content: null,
    behavior: "allow",
    source: "suggested",
  };
  return { ...decision, suggestedRules: decision.suggestsRules ? [wholeTool] : [] };
}

/** Rules with content match nothing on a tool that declares no way to match its input. */
function findRule(
  rules: readonly PermissionRule[],
  toolName: string,
  behavior: PermissionBehavior,
): string | null {
  const rule = rules.find(
    (candidate) =>
      candidate.tool_name === toolName &&
      candidate.behavior === behavior &&
      !candidate.rule_content,
  );
  return rule ? rule.tool_name : null;
}
