// Parses and validates the input text of a call. Pure.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { MAX_CHECK_STEPS } from "../../protocol/schemas/limits.ts";
import { findMisfit, type Misfit } from "../json-schema/find-misfit.ts";
import { StepBudget } from "../step-budget.ts";
import { isTooDeep, parseInput } from "../json/parse-input.ts";
import type { ToolDeclaration } from "../ports.ts";

export type CallInput =
  | { readonly ok: true; readonly input: unknown }
  /** The text tells the model what to change. */
  | { readonly ok: false; readonly text: string };

interface ReadOptions {
  /** Calls of the turn, this one included: they share the budget of checks. */
  readonly calls: number;
  /** Applied before validation, on the same budget. */
  readonly complete?: (input: unknown, budget: StepBudget) => unknown;
}

export function readCallInput(
  call: ToolCallBlock,
  tool: Pick<ToolDeclaration, "input_schema">,
  { calls, complete = (input) => input }: ReadOptions,
): CallInput {
  const parsed = parseInput(call.input);
  if (!parsed.ok) return refuse(call, parsed.problem, parsed.isCutOff ? GO_ON : TRY_AGAIN);
  if (isTooDeep(parsed.input)) {
    return refuse(
      call,
      `has more than ${MAX_INPUT_DEPTH} levels`,
      "Call it again with a flatter one.",
    );
  }
  const budget = new StepBudget(Math.floor(MAX_CHECK_STEPS / calls));
  const input = complete(parsed.input, budget);
  const misfit = findMisfit(input, tool.input_schema, { schemaName: "its schema", budget });
  return misfit ? refuse(call, misfit.text, ADVICE[misfit.cause]) : { ok: true, input };
}

const TRY_AGAIN = "It was not run. Call it again with one object of valid JSON.";
const GO_ON = "It was not run. Call it again with the whole input, or with a shorter one.";

const ADVICE: Readonly<Record<Misfit["cause"], string>> = {
  value: "Call it again with a valid input.",
  steps: "Call it again with a smaller input, or with fewer calls beside it.",
  schema: "It cannot be called until its schema is changed.",
};

function refuse(call: ToolCallBlock, problem: string, advice: string): CallInput {
  return { ok: false, text: `The input of ${call.name} ${problem}. ${advice}` };
}
