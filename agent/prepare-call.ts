// What becomes of one call before anything runs: is there such a tool, is the input JSON, does it fit the
// schema, may it run. Pure.
import type { ToolCallBlock, ToolResultState } from "../protocol/blocks.ts";
import type { PermissionRule } from "../protocol/permission.ts";
import { readCallInput } from "./call-input.ts";
import { checkCall, type PermissionContext } from "./permission/check-call.ts";
import type { ToolDeclaration } from "./ports.ts";

export type PreparedCall =
  | { readonly type: "run"; readonly input: unknown }
  | { readonly type: "ask"; readonly suggestedRules: readonly PermissionRule[] }
  /** The text is for the model: it says what to do differently. */
  | {
      readonly type: "refuse";
      readonly state: Extract<ToolResultState, "error" | "denied">;
      readonly text: string;
    };

export function prepareCall(
  call: ToolCallBlock,
  tools: readonly ToolDeclaration[],
  permission: PermissionContext,
): PreparedCall {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = tools.map((candidate) => candidate.name).join(", ") || "none";
    return refuse("error", `There is no tool named ${call.name}. Tools: ${names}.`);
  }
  const read = readCallInput(call, tool);
  if (!read.ok) return refuse("error", read.text);
  if (call.state === "allowed") return { type: "run", input: read.input };
  const decision = checkCall(permission, tool);
  switch (decision.behavior) {
    case "allow":
      return { type: "run", input: read.input };
    case "ask":
      return { type: "ask", suggestedRules: decision.suggestedRules };
    case "deny":
      return refuse(
        "denied",
        `The call of ${call.name} was denied. ${decision.reason ?? ""}`.trim(),
      );
    default:
      return decision.behavior satisfies never;
  }
}

function refuse(state: "error" | "denied", text: string): PreparedCall {
  return { type: "refuse", state, text };
}
