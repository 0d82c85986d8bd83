// A JSON Schema as it was meant: generators in Python and Java write the keywords that they do not use as null.
import { SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from "./find-schema-problem.ts";
import { isJsonObject } from "../json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Keywords of which null is a value. */
const OF_ANY_VALUE: ReadonlySet<string> = new Set(["const", "default"]);

/**
 * The schema without keywords that are null; a property whose schema is null may be anything. What else is wrong with it
 * stays. Cost: linear in the schema's size; it has the nesting of the message that it came in.
 */
export function withoutNullKeywords(schema: Fields): Fields {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => value !== null || OF_ANY_VALUE.has(keyword),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, meant(keyword, value)]));
}

function meant(keyword: string, value: unknown): unknown {
  if (keyword === "type" && Array.isArray(value)) {
    return (value as readonly unknown[]).map((type) => type ?? "null");
  }
  if (SCHEMA_LIST.includes(keyword) || (keyword === "items" && Array.isArray(value))) {
    return Array.isArray(value) ? (value as readonly unknown[]).map(inner) : value;
  }
  if (SCHEMA.includes(keyword)) return inner(value);
  if (!SCHEMA_MAP.includes(keyword) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one ?? {})]));
}

function inner(schema: unknown): unknown {
  return isJsonObject(schema) ? withoutNullKeywords(schema) : schema;
}
