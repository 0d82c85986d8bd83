// Checks a value against a JSON Schema; what does not fit is told in words for whoever brought the value. No schema and no value can make it take
// long: what spends its steps is refused, the same way every time.
import { MAX_CHECK_STEPS } from "../../protocol/limits/validation.ts";
import type { JsonSchema } from "../../protocol/structured-output.ts";
import { pointerTo } from "./place.ts";
import { StepBudget, StepsSpent } from "../step-budget.ts";
import { ValueCheck } from "./value-check.ts";
import { SchemaUnusable } from "./visit.ts";

export interface Misfit {
  readonly cause: "value" | "steps" | "schema";
  /** As a sentence goes on after the value's name. */
  readonly text: string;
}

interface CheckOptions {
  /** How the schema is called in the text: `its schema`. */
  readonly schemaName: string;
  /** Steps that were spent on the value before count. */
  readonly budget?: StepBudget;
}

/**
 * @param value Nested no deeper than a body may be.
 * @returns Null when it fits.
 */
export function findMisfit(
  value: unknown,
  schema: JsonSchema,
  { schemaName, budget = new StepBudget(MAX_CHECK_STEPS) }: CheckOptions,
): Misfit | null {
  try {
    const { problems } = new ValueCheck(schema, budget).check(schema, value, null);
    if (problems.length === 0) return null;
    const told = problems.map(({ place, describe }) => `${pointerTo(place)} ${describe()}`);
    return { cause: "value", text: `does not fit ${schemaName}: ${told.join("; ")}` };
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
