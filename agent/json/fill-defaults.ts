// Fills in the defaults that a JSON Schema declares where a value lacks members. Pure.
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { followPointer } from "../json-schema/follow-pointer.ts";
import { StepsSpent, type StepBudget } from "../step-budget.ts";
import { exactText } from "../exact-number.ts";

/** One visit of a schema for a value. */
const FILL_STEPS = 40;
/** A member of a value or of a schema. */
const MEMBER_STEPS = 8;
/** A character of an inserted default: it is written into the log and sent to readers. */
const WRITTEN_STEPS = 4;

/**
 * `value` with the declared defaults of missing members, at every level that `value` itself has; an inserted default is
 * not completed further. Follows `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and references
 * within the schema; branches that may not apply (`anyOf`, `oneOf`, `if`) add nothing. `value` is not changed. Results
 * are memoised, since recursive schemas with several paths would visit the same value again at each level, and one
 * default may be inserted at many places: when the budget is spent, `value` is returned unchanged, and a check on the
 * same budget then fails at its first step.
 */
export function fillDefaults(schema: JsonSchema, value: unknown, budget: StepBudget): unknown {
  const sizes = new Map<unknown, number>();
  const known = new Map<unknown, Map<object, unknown>>();
  try {
    return fill(schema, value);
  } catch (error) {
    if (error instanceof StepsSpent) return value;
    throw error;
  }

  function fill(own: unknown, part: unknown): unknown {
    budget.spend(1);
    if (typeof part !== "object" || part === null || exactText(part) !== null) return part;
    const filled = known.get(own)?.get(part) ?? fillOnce(own, part);
    const results = known.get(own) ?? new Map<object, unknown>();
    known.set(own, results.set(part, filled));
    return filled;
  }

  /** A value without missing members is returned as the same object, so that the memo finds it again. */
  function fillOnce(own: unknown, part: object): unknown {
    const applied = appliedSchemas(own);
    if (Array.isArray(part)) {
      if (!applied.some(({ items, prefixItems }) => items !== undefined || prefixItems))
        return part;
      const items = part.map((item: unknown, index) =>
        applied.reduce<unknown>((filled, each) => fill(itemSchema(each, index), filled), item),
      );
      return items.some((item, index) => item !== part[index]) ? items : part;
    }
    return applied.reduce<unknown>(
      (filled, each) => (isObject(filled) ? fillMembers(each, filled) : filled),
      part,
    );
  }

  function fillMembers(own: JsonSchema, part: Members): Members {
    const properties = isObject(own["properties"]) ? own["properties"] : {};
    const members = Object.entries(part);
    const declared = Object.entries(properties);
    budget.spend(MEMBER_STEPS * (members.length + declared.length));
    const present = members.map(([name, member]) => {
      const inner = Object.hasOwn(properties, name)
        ? properties[name]
        : own["additionalProperties"];
      return [name, fill(inner, member)] as const;
    });
    const missing = declared.flatMap(([name, inner]) => {
      if (Object.hasOwn(part, name)) return [];
      const declaring = appliedSchemas(inner).find((each) => Object.hasOwn(each, "default"));
      if (!declaring) return [];
      budget.spend(WRITTEN_STEPS * sizeOf(declaring["default"]));
      return [[name, declaring["default"]] as const];
    });
    const isWhole =
      missing.length === 0 && present.every(([name, member]) => member === part[name]);
    return isWhole ? part : Object.fromEntries([...present, ...missing]);
  }

  /** The schema and those that apply with it (`allOf`, `$ref`), each once: a schema may refer to itself. */
  function appliedSchemas(own: unknown): readonly JsonSchema[] {
    const seen = new Set<JsonSchema>();
    const waiting: unknown[] = [own];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      budget.spend(FILL_STEPS);
      if (!isObject(next) || seen.has(next)) continue;
      seen.add(next);
      const all: unknown = next["allOf"];
      if (Array.isArray(all)) budget.spend(all.length);
      if (Array.isArray(all)) waiting.push(...[...(all as unknown[])].reverse());
      const reference = next["$ref"];
      if (typeof reference === "string") {
        budget.spend(reference.length);
        waiting.push(followPointer(schema, reference));
      }
    }
    return [...seen];
  }

  /** Length as JSON text, cached: a default may be inserted many times. */
  function sizeOf(value: unknown): number {
    const known = sizes.get(value);
    if (known !== undefined) return known;
    const size = JSON.stringify(value).length;
    sizes.set(value, size);
    return size;
  }
}

type Members = Readonly<Record<string, unknown>>;

function itemSchema(schema: JsonSchema, index: number): unknown {
  const prefix: unknown = schema["prefixItems"];
  const own: unknown = Array.isArray(prefix) ? prefix[index] : undefined;
  return own ?? schema["items"];
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
