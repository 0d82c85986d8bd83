// Compares JSON values: formatting, the order of members and the notation of numbers do not count.
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { exactText } from "../exact-number.ts";

/** @param first, second JSON values. Nested deeper than a request may be, they count as different. */
export function isSameJson(first: unknown, second: unknown, depth = 0): boolean {
  if (first === second) return true;
  if (depth > MAX_INPUT_DEPTH || !isObject(first) || !isObject(second)) return false;
  const [one, other] = [exactText(first), exactText(second)];
  if (one !== null || other !== null) return one === other;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const members = Object.entries(first);
  return (
    members.length === Object.keys(second).length &&
    members.every(
      ([name, member]) =>
        Object.hasOwn(second, name) && isSameJson(member, second[name], depth + 1),
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
