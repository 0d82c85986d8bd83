// Checks values against the schemas of the OpenAPI document.
import { dereference, validate, type Schema } from "@cfworker/json-schema";

import type { JsonSchema, OpenApiDocument } from "../../openapi/document-types.ts";

export interface SchemaValidator {
  /** Problems of `value`, a line each; empty when it fits. */
  (schema: JsonSchema, value: unknown): readonly string[];
}

/** The address that the document's schemas have for each other. */
const DOCUMENT = "https://document.example/";

/** @param isClosed Whether members that the document does not name are refused, also where clients must ignore them. */
export function schemaValidator(
  { components }: OpenApiDocument,
  { isClosed }: { readonly isClosed: boolean },
): SchemaValidator {
  const schemas = isClosed ? close(components.schemas) : components.schemas;
  // Found once: the document has thousands of schemas, and a suite checks thousands of answers.
  const lookup = dereference({ $id: DOCUMENT, $defs: rebase(schemas) } as Schema);
  const known = new Map<JsonSchema, Schema>();
  return (schema, value) => {
    const whole = known.get(schema) ?? add(schema);
    const { valid, errors } = validate(value, whole, "2020-12", lookup, false);
    return valid ? [] : errors.map((error) => `${error.instanceLocation}: ${error.error}`);
  };

  function add(schema: JsonSchema): Schema {
    const whole = { ...(rebase(schema) as Schema), $id: `${DOCUMENT}${known.size}` };
    dereference(whole, lookup);
    known.set(schema, whole);
    return whole;
  }
}

function rebase(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll("#/components/schemas/", `${DOCUMENT}#/$defs/`),
  );
}

function close(schemas: Readonly<Record<string, JsonSchema>>): unknown {
  const { Problem, ...rest } = schemas;
  const { additionalProperties: _, ...problem } = Problem ?? {};
  return JSON.parse(JSON.stringify({ ...rest, Problem: problem }), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !isObjectSchema(value)) return value;
    return { additionalProperties: false, ...value };
  });
}

/** Not a table of fields that happens to have a field of that name: a schema says that it is an object. */
function isObjectSchema(value: object): boolean {
  return "properties" in value && "type" in value && value.type === "object";
}
