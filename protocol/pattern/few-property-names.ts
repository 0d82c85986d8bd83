// The names of Unicode's properties that the schemas of one request may use.
import { MAX_PATTERN_PROPERTIES } from "../limits/validation.ts";
import { isUnicodeProperty } from "./read-pattern.ts";

/** @returns Whether a name is one of Unicode's; no more than some are asked of the runtime. */
export function fewPropertyNames(): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const isKnown = known.size < MAX_PATTERN_PROPERTIES && isUnicodeProperty(name);
    known.set(name, isKnown);
    return isKnown;
  };
}
