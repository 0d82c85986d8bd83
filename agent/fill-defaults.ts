// The defaults that a JSON Schema declares, put in where a value leaves members out. Pure.
import type { JsonSchema } from "../protocol/structured-output.ts";

/**
 * `value` with the declared defaults of what it lacks, at every level that it has itself; what a default brings is
 * taken as it stands. Follows `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and references within
 * the schema; branches that may not apply (`anyOf`, `oneOf`, `if`) add nothing. `value` is not changed.
 */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  return fill(schema, value, schema);
}

function fill(schema: unknown, value: unknown, root: JsonSchema): unknown {
  const applied = [...appliedSchemas(schema, root, new Set())];
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      applied.reduce<unknown>((filled, each) => fill(itemSchema(each, index), filled, root), item),
    );
  }
  if (!isObject(value)) return value;
  return applied.reduce((filled, each) => fillMembers(each, filled, root), value);
}

function fillMembers(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  root: JsonSchema,
): Readonly<Record<string, unknown>> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const present = Object.entries(value).map(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
    return [name, fill(own, member, root)] as const;
  });
  const missing = Object.entries(properties).flatMap(([name, own]) => {
    if (Object.hasOwn(value, name)) return [];
    const declaring = [...appliedSchemas(own, root, new Set())].find((each) =>
      Object.hasOwn(each, "default"),
    );
    return declaring ? [[name, declaring["default"]] as const] : [];
  });
  return Object.fromEntries([...present, ...missing]);
}

/** The schema and all that hold wherever it holds, each once: a schema may lead back to itself. */
function* appliedSchemas(
  schema: unknown,
  root: JsonSchema,
  seen: Set<unknown>,
): Generator<JsonSchema, void> {
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  if (typeof schema["$ref"] === "string") {
    yield* appliedSchemas(resolve(schema["$ref"], root), root, seen);
  }
  const all: unknown = schema["allOf"];
  if (Array.isArray(all)) {
    for (const each of all as unknown[]) yield* appliedSchemas(each, root, seen);
  }
}

function itemSchema(schema: JsonSchema, index: number): unknown {
  const prefix: unknown = schema["prefixItems"];
  const own: unknown = Array.isArray(prefix) ? prefix[index] : undefined;
  return own ?? schema["items"];
}

/** @param reference Such as `#/$defs/Order`; undefined when nothing is there. */
function resolve(reference: string, root: JsonSchema): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((parent, step) => {
      const name = unescapeStep(step);
      const isThere = typeof parent === "object" && parent !== null && Object.hasOwn(parent, name);
      return isThere ? (parent as Record<string, unknown>)[name] : undefined;
    }, root);
}

function unescapeStep(step: string): string {
  return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
