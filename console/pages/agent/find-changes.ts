// Differences between two definitions, by place.
import { isJsonObject, type JsonObject } from "../../components/schema-form/json-schema.ts";
import { isSame } from "./definition.ts";

interface Change {
  /** Place in words: `tools › refund_order › timeout_ms`. */
  readonly place: readonly string[];
  /** Undefined where there was none. */
  readonly before: unknown;
  /** Undefined where there is none any more. */
  readonly after: unknown;
}

/** The places that differ, each as deep as both have it. Entries of a list are matched by their names where they have some. */
export function findChanges(
  before: unknown,
  after: unknown,
  place: readonly string[] = [],
): readonly Change[] {
  if (isSame(before, after)) return [];
  const [left, right] = [membersOf(before), membersOf(after)];
  if (!left || !right) return [{ place, before, after }];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const changes = names.flatMap((name) => findChanges(left[name], right[name], [...place, name]));
  // The same entries in another order.
  return changes.length > 0 ? changes : [{ place, before, after }];
}

/** Members by name; of a list whose entries all have different names, the entries by their names. */
function membersOf(value: unknown): JsonObject | null {
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value)) return null;
  const named = value.map((entry: unknown) => [isJsonObject(entry) ? entry["name"] : null, entry]);
  const isNamed = named.every(([name]) => typeof name === "string");
  const names = new Set(named.map(([name]) => name));
  return isNamed && names.size === named.length ? (Object.fromEntries(named) as JsonObject) : null;
}
