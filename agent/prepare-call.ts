// What becomes of one call before anything runs: is there such a tool, is the input JSON, does it fit the
// schema, may it run. Pure.
import { Validator, type Schema } from "@cfworker/json-schema";
import { jsonrepair } from "jsonrepair";

import type { ToolCallBlock, ToolResultState } from "../protocol/blocks.ts";
import type { PermissionRule } from "../protocol/permission.ts";
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

/** Problems of a schema check that are told to the model; more only cost tokens. */
const MAX_SCHEMA_PROBLEMS = 5;

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
  const parsed = parseInput(call.input);
  if (!parsed.ok) {
    return refuse("error", `The input of ${call.name} is not JSON. Call it again with valid JSON.`);
  }
  const problems = findSchemaProblems(parsed.input, tool);
  if (problems.length > 0) {
    return refuse(
      "error",
      `The input of ${call.name} does not fit its schema: ${problems.join("; ")}. Call it again with a valid input.`,
    );
  }
  if (call.state === "allowed") return { type: "run", input: parsed.input };
  const decision = checkCall(permission, tool);
  switch (decision.behavior) {
    case "allow":
      return { type: "run", input: parsed.input };
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

/** Models leave the input of a call without arguments empty, and cut JSON off at their token limit. */
function parseInput(text: string): { ok: true; input: unknown } | { ok: false } {
  if (text.trim() === "") return { ok: true, input: {} };
  try {
    return { ok: true, input: JSON.parse(text) };
  } catch {
    try {
      return { ok: true, input: JSON.parse(jsonrepair(text)) };
    } catch {
      return { ok: false };
    }
  }
}

/** A schema that cannot be used is the tenant's mistake; the model is told so, and the loop goes on. */
function findSchemaProblems(input: unknown, tool: ToolDeclaration): readonly string[] {
  try {
    const schema = tool.input_schema as Schema;
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(input);
    if (valid) return [];
    const leaves = errors.filter(
      (problem) =>
        !["properties", "items", "allOf", "anyOf", "oneOf", "$ref"].includes(problem.keyword),
    );
    return (leaves.length > 0 ? leaves : errors)
      .slice(0, MAX_SCHEMA_PROBLEMS)
      .map((problem) => `${problem.instanceLocation} ${problem.error}`);
  } catch {
    return [`the schema of ${tool.name} itself is not valid`];
  }
}

function refuse(state: "error" | "denied", text: string): PreparedCall {
  return { type: "refuse", state, text };
}
