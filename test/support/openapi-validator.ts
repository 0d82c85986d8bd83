// Checks values against the schemas of the OpenAPI document.
import { Validator } from "@cfworker/json-schema";

import type { JsonSchema, OpenApiDocument } from "../../openapi/document-types.ts";

export interface SchemaValidator {
  /** Problems of `value`, a line each; empty when it fits. */
  (schema: JsonSchema, value: unknown): readonly string[];
}

/** @param isClosed Whether members that the document does not name are refused, also where clients must ignore them. */
export function schemaValidator(
  { components }: OpenApiDocument,
  { isClosed }: { readonly isClosed: boolean },
): SchemaValidator {
  const schemas = isClosed ? close(components.schemas) : components.schemas;
  const definitions = rebase(schemas);
  return (schema, value) => {
    const whole = { ...(rebase(schema) as JsonSchema), $defs: definitions };
    const { valid, errors } = new Validator(whole, "2020-12", false).validate(value);
    return valid ? [] : errors.map((error) => `${error.instanceLocation}: ${error.error}`);
  };
}

function rebase(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"));
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
