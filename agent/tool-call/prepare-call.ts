// Checks a call before it runs: the tool exists, the input is JSON and fits the schema, and permission is given. Pure.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { MAX_LISTED_TOOL_CHARACTERS } from "../../protocol/models/limits.ts";
import { firstInexact, withDoubles } from "../exact-number.ts";
import { readCallInput } from "./call-input.ts";
import { inexactText } from "./inexact-input.ts";
import {
  checkCall,
  findDenyRule,
  type CallPermission,
  type PermissionSettings,
} from "../permission/check-call.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { CallRefusal, DecisionRecord } from "./refused-result.ts";

export type PreparedCall =
  | {
      readonly type: "run";
      readonly tool: ToolDeclaration;
      readonly input: unknown;
      /** Null when a person decided. */
      readonly decision: DecisionRecord | null;
    }
  | {
      readonly type: "ask";
      readonly tool: ToolDeclaration;
      readonly input: unknown;
      readonly permission: CallPermission;
    }
  | { readonly type: "refuse"; readonly refusal: CallRefusal };

/** A person's confirmation overrides ask rules and modes; a deny rule, older or newer, overrides the confirmation. */
export function prepareCall(
  call: ToolCallBlock,
  tools: readonly ToolDeclaration[],
  context: PermissionSettings,
): PreparedCall {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    return refuseWithError(`There is no tool named ${call.name}. Tools: ${listNames(tools)}.`);
  }
  // Also after a person's confirmation: what was switched off meanwhile does not run.
  const { withheld: text } = tool;
  if (text !== undefined) {
    return { type: "refuse", refusal: { state: "error", text, decision: null, withheld: true } };
  }
  const read = readCallInput(call, tool, { calls: context.calls ?? 1 });
  if (!read.ok) return refuseWithError(read.text);
  // Abilities compute with numbers; other tools are sent them as they were written.
  const inexact = tool.ability === undefined ? null : firstInexact(read.input);
  if (inexact !== null) return refuseWithError(inexactText(tool.name, inexact));
  const input = tool.ability === undefined ? read.input : withDoubles(read.input);
  if (call.state === "allowed") {
    const rule = findDenyRule(context, tool, input);
    if (!rule) return { type: "run", tool, input, decision: null };
    return deny(call, { reason: "A deny rule forbids it.", rule });
  }
  const permission = checkCall(context, tool, input);
  const { behavior, reason, rule } = permission;
  switch (behavior) {
    case "allow":
      return { type: "run", tool, input, decision: { behavior, reason, rule } };
    case "ask":
      return { type: "ask", tool, input, permission };
    case "deny":
      return deny(call, permission);
    default:
      return behavior satisfies never;
  }
}

/** As many names as fit: a model may call a hundred unknown tools and gets this text for each. */
function listNames(tools: readonly ToolDeclaration[]): string {
  const names = tools.flatMap(({ name, withheld }) => (withheld === undefined ? name : []));
  let length = 0;
  const cut = names.findIndex((name) => (length += name.length) > MAX_LISTED_TOOL_CHARACTERS);
  if (cut === -1) return names.join(", ") || "none";
  return `${names.slice(0, cut).join(", ")} and ${names.length - cut} more`;
}

function refuseWithError(text: string): PreparedCall {
  return { type: "refuse", refusal: { state: "error", text, decision: null } };
}

function deny(
  call: ToolCallBlock,
  { reason, rule }: Pick<DecisionRecord, "reason" | "rule">,
): PreparedCall {
  const text = `The call of ${call.name} was denied. ${reason ?? ""}`.trim();
  return {
    type: "refuse",
    refusal: { state: "denied", text, decision: { behavior: "deny", reason, rule } },
  };
}
