// Checks a value against a JSON Schema and describes the first problem in words for the author of the value. A budget
// of steps bounds the time: a check that exceeds it is refused, and always in the same way.
import { MAX_CHECK_STEPS } from "../../protocol/schemas/limits.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { pointerTo } from "./place.ts";
import { StepBudget, StepsSpent } from "../step-budget.ts";
import { ValueCheck } from "./value-check.ts";
import { SchemaUnusable } from "./visit.ts";

export interface Misfit {
  readonly cause: "value" | "steps" | "schema";
  /** The rest of a sentence that begins with the value's name. */
  readonly text: string;
}

interface CheckOptions {
  /** The schema's name in the text: `its schema`. */
  readonly schemaName: string;
  /** Steps that were spent on the value before are counted. */
  readonly budget?: StepBudget;
}

/**
 * @param value Its depth is bounded by the caller.
 * @returns Null when the value fits.
 */
export function findMisfit(
  value: unknown,
  schema: JsonSchema,
  { schemaName, budget = new StepBudget(MAX_CHECK_STEPS) }: CheckOptions,
): Misfit | null {
  try {
    const { problems } = new ValueCheck(schema, budget).check(schema, value, null);
    if (problems.length === 0) return null;
    const described = problems.map(({ place, describe }) => `${pointerTo(place)} ${describe()}`);
    return { cause: "value", text: `does not fit ${schemaName}: ${described.join("; ")}` };
  } catch (error) {
    if (error instanceof StepsSpent) {
      const text = `cannot be checked against ${schemaName} within ${budget.limit} steps`;
      return { cause: "steps", text };
    }
    if (error instanceof SchemaUnusable) {
      const text = `cannot be checked, as ${schemaName} is not usable: ${error.message}`;
      return { cause: "schema", text };
    }
    throw error;
  }
}
