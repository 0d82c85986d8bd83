// A value as a text that is the same for every value that JSON Schema calls equal: members in one order, numbers in
// one form. Equal values are then found by looking up, however many there are.
import type { StepBudget } from "../step-budget.ts";

const CHARACTERS_A_STEP = 8;

/** @param value Nested no deeper than a body may be. */
export function canonicalJson(value: unknown, budget: StepBudget): string {
  budget.spend(8);
  if (typeof value === "string") {
    budget.spend(value.length / CHARACTERS_A_STEP);
    // With its length before it no text is taken for what follows it.
    return `${value.length}"${value}`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value as unknown[]) items.push(canonicalJson(item, budget));
    return `[${items.join()}]`;
  }
  const names = Object.keys(value).sort();
  // Sorting compares each name with some ten others.
  budget.spend(10 * names.length);
  const members = names.map(
    (name) => `${canonicalJson(name, budget)}:${canonicalJson((value as Fields)[name], budget)}`,
  );
  return `{${members.join()}}`;
}

type Fields = Readonly<Record<string, unknown>>;
