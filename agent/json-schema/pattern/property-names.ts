// The names of Unicode's properties that patterns use, asked of the runtime once each and paid for in steps.
import { isUnicodeProperty } from "../../../protocol/pattern/read-pattern.ts";
import type { StepBudget } from "../../step-budget.ts";

/** Where a set has one. */
export const PROPERTY = /\\[pP]\{/;
/** The runtime puts its ranges together, some hundreds of them, whenever it meets one. */
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
