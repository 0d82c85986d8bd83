// Canonical JSON text: the same for all values that JSON Schema calls equal, with members sorted and numbers in one
// form. It makes equality a lookup in a set.
import { exactText } from "../exact-number.ts";
import type { StepBudget } from "../step-budget.ts";

const CHARACTERS_A_STEP = 8;

/** @param value Its depth is bounded by the caller. */
export function canonicalJson(value: unknown, budget: StepBudget): string {
  budget.spend(8);
  if (typeof value === "string") {
    budget.spend(value.length / CHARACTERS_A_STEP);
    // Length-prefixed, so that no text can be mistaken for what follows it.
    return `${value.length}"${value}`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const digits = exactText(value);
  if (digits !== null) return digits;
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value as unknown[]) items.push(canonicalJson(item, budget));
    return `[${items.join()}]`;
  }
  const names = Object.keys(value).sort();
  // Sorting compares each name about ten times.
  budget.spend(10 * names.length);
  const members = names.map(
    (name) => `${canonicalJson(name, budget)}:${canonicalJson((value as Fields)[name], budget)}`,
  );
  return `{${members.join()}}`;
}

type Fields = Readonly<Record<string, unknown>>;
