// Bounds how many Unicode property names one request's patterns may use.
import { MAX_PATTERN_PROPERTIES } from "../schemas/limits.ts";
import { isUnicodeProperty } from "./read-pattern.ts";

/**
 * @returns A predicate for Unicode property names. It asks the runtime for a limited number of names and refuses any
 *   further ones.
 */
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
