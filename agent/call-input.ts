// From the text that a model wrote as a call's input to a value that fits the tool's schema. Pure.
import type { ToolCallBlock } from "../protocol/blocks.ts";
import { MAX_INPUT_DEPTH } from "../protocol/limits.ts";
import { MAX_CHECK_STEPS } from "../protocol/limits-validation.ts";
import { findMisfit, type Misfit } from "./json-schema/find-misfit.ts";
import { StepBudget } from "./step-budget.ts";
import { isTooDeep, parseInput } from "./parse-input.ts";
import type { ToolDeclaration } from "./ports.ts";

export type CallInput =
  | { readonly ok: true; readonly input: unknown }
  /** The text is for the model: it says what to do differently. */
  | { readonly ok: false; readonly text: string };

/** @param complete Applied before the schema is asked, on the same budget. */
export function readCallInput(
  call: ToolCallBlock,
  tool: Pick<ToolDeclaration, "input_schema">,
  complete: (input: unknown, budget: StepBudget) => unknown = (input) => input,
): CallInput {
  const parsed = parseInput(call.input);
  if (!parsed.ok) return refuse(call, parsed.problem, "Call it again with valid JSON.");
  if (isTooDeep(parsed.input)) {
    return refuse(
      call,
      `has more than ${MAX_INPUT_DEPTH} levels`,
      "Call it again with a flatter one.",
    );
  }
  const budget = new StepBudget(MAX_CHECK_STEPS);
  const input = complete(parsed.input, budget);
  const misfit = findMisfit(input, tool.input_schema, { schemaName: "its schema", budget });
  return misfit ? refuse(call, misfit.text, ADVICE[misfit.cause]) : { ok: true, input };
}

const ADVICE: Readonly<Record<Misfit["cause"], string>> = {
  value: "Call it again with a valid input.",
  steps: "Call it again with a smaller input.",
  schema: "It cannot be called until its schema is changed.",
};

function refuse(call: ToolCallBlock, problem: string, advice: string): CallInput {
  return { ok: false, text: `The input of ${call.name} ${problem}. ${advice}` };
}
