// From the text that a model wrote as a call's input to a value that fits the tool's schema. Pure.
import { Validator, type Schema } from "@cfworker/json-schema";
import { jsonrepair } from "jsonrepair";

import { findSchemaProblem } from "../protocol/api/schema-problem.ts";
import type { ToolCallBlock } from "../protocol/blocks.ts";
import { MAX_INPUT_DEPTH } from "../protocol/limits.ts";
import type { ToolDeclaration } from "./ports.ts";

export type CallInput =
  | { readonly ok: true; readonly input: unknown }
  /** The text is for the model: it says what to do differently. */
  | { readonly ok: false; readonly text: string };

type CheckedTool = Pick<ToolDeclaration, "name" | "input_schema" | "external">;

/** Problems of a schema check that are told to the model; more only cost tokens. */
const MAX_SCHEMA_PROBLEMS = 5;

/** Keywords whose failure only says that something within has failed. */
const OUTER_KEYWORDS = ["properties", "items", "allOf", "anyOf", "oneOf", "$ref"];

/** @param complete Applied before the schema is asked. */
export function readCallInput(
  call: ToolCallBlock,
  tool: CheckedTool,
  complete: (input: unknown) => unknown = (input) => input,
): CallInput {
  const parsed = parseInput(call.input);
  if (!parsed.ok) {
    return {
      ok: false,
      text: `The input of ${call.name} is not JSON. Call it again with valid JSON.`,
    };
  }
  if (isTooDeep(parsed.input)) {
    return {
      ok: false,
      text: `The input of ${call.name} has more than ${MAX_INPUT_DEPTH} levels. Call it again with a flatter one.`,
    };
  }
  const input = complete(parsed.input);
  const problems = findSchemaProblems(input, tool);
  if (problems.length === 0) return { ok: true, input };
  return {
    ok: false,
    text: `The input of ${call.name} does not fit its schema: ${problems.join("; ")}. Call it again with a valid input.`,
  };
}

type ParsedInput = { readonly ok: true; readonly input: unknown } | { readonly ok: false };

/** Models leave the input of a call without arguments empty, and cut JSON off at their token limit. */
export function parseInput(text: string): ParsedInput {
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  try {
    return { ok: true, input: JSON.parse(jsonrepair(text)) };
  } catch {
    return { ok: false };
  }
}

/** As it stands: what a person or a program writes is not guessed at. */
export function parseJson(text: string): ParsedInput {
  try {
    return { ok: true, input: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

export function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_INPUT_DEPTH) return true;
  return Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

/**
 * A schema that cannot be used is the tenant's mistake; the model is told so, and the loop goes on. One that a client
 * brought may be anybody's: where its check might take for ever it is left to the client, who runs the call.
 */
export function findSchemaProblems(input: unknown, tool: CheckedTool): readonly string[] {
  try {
    if (tool.external?.offered_by === "client" && mayBeEndless(tool.input_schema)) return [];
    const schema = tool.input_schema as Schema;
    const { valid, errors } = new Validator(schema, "2020-12", false).validate(input);
    if (valid) return [];
    const leaves = errors.filter(({ keyword }) => !OUTER_KEYWORDS.includes(keyword));
    return (leaves.length > 0 ? leaves : errors)
      .slice(0, MAX_SCHEMA_PROBLEMS)
      .map((problem) => `${problem.instanceLocation} ${problem.error}`);
  } catch {
    return [`the schema of ${tool.name} itself is not valid`];
  }
}

/** Regular expressions may go back for ever; so may references, or fan out. */
function mayBeEndless(schema: ToolDeclaration["input_schema"]): boolean {
  return JSON.stringify(schema).includes('"pattern') || findSchemaProblem(schema) !== null;
}
