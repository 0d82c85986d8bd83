// Decides a call by the permission rules. Pure; each rule costs time linear in the call's argument.
import type { PermissionMode, PermissionRule } from "../../protocol/messages/permission.ts";
import type { PersonAsk, ToolDeclaration } from "../ports.ts";
import { readSubject } from "./call-subject.ts";
import { checkTool } from "./check-tool.ts";
import { decidePermission, type PermissionDecision } from "./decide-permission.ts";
import { findGrant, findRestriction } from "./match-rule.ts";
import { untrustedReason } from "./untrusted-content.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import { suggestRules } from "./suggest-rules.ts";

export interface PermissionSettings {
  readonly mode: PermissionMode;
  /** The agent's rules, then the session's. */
  readonly rules: readonly PermissionRule[];
  /** Absolute paths in which `accept_edits` lets files be changed; relative paths are resolved against the first. */
  readonly working_directories: readonly string[];
  /** Modes of those who have called this agent: of the decisions in all of them the strictest holds. None when left out. */
  readonly bounds?: readonly PermissionMode[];
  /** Calls of the turn, this one included: they share the steps. One when left out. */
  readonly calls?: number;
  /** The deployment's middleware around the decision: they give a stricter one or this one. */
  readonly tighten?: (
    call: { readonly tool: ToolDeclaration; readonly input: unknown },
    decided: CallPermission,
  ) => CallPermission;
  /** Sources of the untrusted content that the model was sent; none when left out. */
  readonly untrusted?: readonly UntrustedSource[];
  /** Whether mode `bypass` holds for sinks in spite of it; false when left out. */
  readonly bypass_untrusted?: boolean;
}

export interface CallPermission {
  readonly behavior: "allow" | "ask" | "deny";
  readonly reason: string | null;
  /** The rule that decided; null when the tool or the mode did. */
  readonly rule: PermissionRule | null;
  /** Rules that would decide such calls in future; empty when none should be offered. */
  readonly suggestedRules: readonly PermissionRule[];
  /** The call is dangerous, in itself or by what the model was told, so it is asked about in spite of allow rules. */
  readonly isSafetyAsk: boolean;
  /** The tool's own question to a person; left out for the one of every call. */
  readonly person?: PersonAsk;
  /** Sources of the untrusted content, when it decided. */
  readonly untrusted?: readonly UntrustedSource[];
}

/** @param input The call's input as parsed JSON. */
export function checkCall(
  context: PermissionSettings,
  tool: ToolDeclaration,
  input: unknown,
): CallPermission {
  const modes = [context.mode, ...(context.bounds ?? [])];
  const decided = modes
    .map((mode) => checkInMode({ ...context, mode }, tool, input))
    .reduce((strictest, next) =>
      RANKS[next.behavior] > RANKS[strictest.behavior] ? next : strictest,
    );
  const given = context.tighten?.({ tool, input }, decided) ?? decided;
  // As for every question: where no person is asked, it is a denial.
  const isUnasked = given.behavior === "ask" && modes.includes("dont_ask");
  return given !== decided && isUnasked ? { ...given, behavior: "deny" } : given;
}

const RANKS = { allow: 0, ask: 1, deny: 2 } as const;

function checkInMode(
  context: PermissionSettings,
  tool: ToolDeclaration,
  input: unknown,
): CallPermission {
  const { mode, rules, working_directories, calls } = context;
  const subject = readSubject(tool, input, working_directories, calls);
  const denyRule = findRestriction(rules, tool.name, "deny", subject);
  const askRule = denyRule ? null : findRestriction(rules, tool.name, "ask", subject);
  const allowRule = denyRule || askRule ? null : findGrant(rules, tool.name, subject);
  const person = tool.asksPerson?.(input) ?? null;
  const own = checkTool(tool, subject, mode, working_directories);
  const untrusted = tool.sink ? (context.untrusted ?? []) : [];
  const decision = decidePermission({
    mode,
    untrusted: untrustedReason(untrusted),
    bypassesUntrusted: context.bypass_untrusted ?? false,
    denyRule: denyRule && nameRule(denyRule),
    askRule: askRule && nameRule(askRule),
    allowRule: allowRule && nameRule(allowRule),
    personReason: person?.reason,
    isReadOnly: own.isReadOnly,
    toolCheck: own.check,
    toolDefault: tool.permission_default,
    toolReason: own.reason,
  });
  const isUntrusted = decision.decidedBy === "untrusted";
  const isDangerous = own.check === "ask_always" || isUntrusted;
  // A call that asks whatever rules there are is asked about each time, so no rules are suggested.
  const isAskedAlways = isDangerous || person !== null;
  return {
    behavior: decision.behavior,
    reason: decision.reason,
    rule: findDecidingRule(decision, { denyRule, askRule, allowRule }),
    suggestedRules:
      decision.suggestsRules && !isAskedAlways ? suggestRules(tool.name, subject) : [],
    isSafetyAsk: isDangerous && decision.behavior === "ask",
    ...(person && { person }),
    ...(isUntrusted && { untrusted }),
  };
}

/** The first deny rule that matches the call. */
export function findDenyRule(
  context: PermissionSettings,
  tool: ToolDeclaration,
  input: unknown,
): PermissionRule | null {
  const subject = readSubject(tool, input, context.working_directories, context.calls);
  return findRestriction(context.rules, tool.name, "deny", subject);
}

/** Whether these rules' allow rules alone match the whole call, and it is not dangerous in itself. */
export function isCoveredBy(
  rules: readonly PermissionRule[],
  tool: ToolDeclaration,
  input: unknown,
  workingDirectories: readonly string[] = [],
): boolean {
  const subject = readSubject(tool, input, workingDirectories);
  if (checkTool(tool, subject, "default", workingDirectories).check === "ask_always") return false;
  return findGrant(rules, tool.name, subject) !== null;
}

function findDecidingRule(
  { decidedBy }: PermissionDecision,
  rules: Readonly<Record<"denyRule" | "askRule" | "allowRule", PermissionRule | null>>,
): PermissionRule | null {
  switch (decidedBy) {
    case "deny_rule":
      return rules.denyRule;
    case "ask_rule":
      return rules.askRule;
    case "allow_rule":
      return rules.allowRule;
    case "untrusted":
    case "tool":
    case "mode":
      return null;
    default:
      return decidedBy satisfies never;
  }
}

function nameRule(rule: PermissionRule): string {
  return rule.rule_content || rule.tool_name;
}
