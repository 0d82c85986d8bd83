// Builds a value that fits a simple JSON Schema: a known value for members of that name, else the simplest value of the
// member's type.
import type { JsonSchema } from "../protocol/schemas/structured-output.ts";

/** @param known Values by member name, at any level; a value of another type than the schema's is ignored. */
export function fillSchema(schema: JsonSchema, known: JsonSchema): Record<string, unknown> {
  const properties = asSchema(schema["properties"]);
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => {
      const member = asSchema(inner);
      const own = Object.hasOwn(known, name) ? known[name] : undefined;
      return [name, isOfType(own, member["type"]) ? own : plainest(member, known)];
    }),
  );
}

function plainest(schema: JsonSchema, known: JsonSchema): unknown {
  if (Object.hasOwn(schema, "default")) return schema["default"];
  if (Object.hasOwn(schema, "const")) return schema["const"];
  const choices: unknown = schema["enum"];
  if (Array.isArray(choices)) return choices[0] as unknown;
  switch (schema["type"]) {
    case "object":
      return fillSchema(schema, known);
    case "array":
      return [];
    case "string":
      return "";
    case "integer":
    case "number":
      return schema["minimum"] ?? 0;
    case "boolean":
      return false;
    default:
      return null;
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === undefined) return false;
  return type === undefined || type === (Array.isArray(value) ? "array" : typeof value);
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? (value as JsonSchema) : {};
}
