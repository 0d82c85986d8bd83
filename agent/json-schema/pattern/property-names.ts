// Unicode properties in patterns (`\p{…}`): checked by the runtime, once for each name, and charged in steps.
import { isUnicodeProperty } from "../../../protocol/pattern/read-pattern.ts";
import type { StepBudget } from "../../step-budget.ts";

/** Matches where a character set uses one. */
export const PROPERTY = /\\[pP]\{/;
/** The runtime collects the ranges of a property, some hundreds, at each use. */
export const PROPERTY_STEPS = 20_000;

export function countedPropertyNames(budget: StepBudget): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    budget.spend(PROPERTY_STEPS);
    const isKnown = isUnicodeProperty(name);
    known.set(name, isKnown);
    return isKnown;
  };
}
