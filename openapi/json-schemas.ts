// The JSON Schemas of the document: zod's conversion, cleaned up, with descriptions.
import * as z from "zod";

import type { JsonSchema } from "./document-types.ts";
import { refTo } from "./document-types.ts";
import { describeFields } from "./describe-fields.ts";
import { EVENT_SCHEMAS } from "./event-schemas.ts";
import { descriptionOf, findNamedSchemas, type NamedSchemas, type Side } from "./named-schemas.ts";
import { ANSWER_ROOTS, REQUEST_ROOTS, STREAMS } from "./roots.ts";

/** Zod's name for extracted recursive definitions; the only ones here are those of `z.json()`. */
const SHARED = "__shared";
/** Matches defaults that differ each time: ids and the current time. */
const MADE_DEFAULT = /^(?:[0-9a-f]{32}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** Keeps names and descriptions, which the document has in places of its own, out of a conversion. */
const NO_METADATA = z.registry<Record<string, never>>();

let schemas: Readonly<Record<Side, NamedSchemas>> | undefined;

/** Schemas that each side of a request refers to, by their name in the document. They are found when first asked for. */
export function namedSchemas(): Readonly<Record<Side, NamedSchemas>> {
  if (schemas) return schemas;
  const answer = { ...findNamedSchemas(ANSWER_ROOTS, "answer"), ...EVENT_SCHEMAS };
  const request = nameRequests(findNamedSchemas(REQUEST_ROOTS, "request"), answer);
  schemas = { request, answer };
  return schemas;
}

/** The name of a schema with an id in the document. */
export function nameOf(schema: z.ZodType, side: Side): string {
  const [name] = Object.entries(namedSchemas()[side]).find(([, own]) => own === schema) ?? [];
  if (name === undefined) throw new Error("a route has a schema without an id in `.meta({ id })`");
  return name;
}

/** All of `#/components/schemas`; every reference resolves within it. */
export function makeSchemas(): Readonly<Record<string, JsonSchema>> {
  const requests = convert(namedSchemas().request, "request");
  const answers = convert(namedSchemas().answer, "answer");
  for (const name of Object.keys(EVENT_SCHEMAS)) {
    // Every event of the log has a seq; only events that clients post have none.
    answers[name] = { ...answers[name], required: requireSeq(answers[name]?.["required"]) };
  }
  const schemas: Record<string, JsonSchema> = {
    ...answers,
    ...requests,
    JsonValue: { description: "Any JSON value." },
    ...Object.fromEntries(
      STREAMS.map(({ id, description, event }) => [
        id,
        {
          description,
          type: "string",
          contentMediaType: "text/event-stream",
          contentSchema: refTo("schemas", nameOf(event, "answer")),
        },
      ]),
    ),
  };
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]) => [name, withDiscriminator(schema, schemas)] as const)
      .map(([name, schema]) => [name, describeSchema(name, schema)] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Converts a schema without a name, such as a query's. */
export function toRequestSchema(schema: z.ZodType): JsonSchema {
  return tidy(
    z.toJSONSchema(schema, { io: "input", metadata: NO_METADATA }) as JsonSchema,
    "request",
  );
}

/** A schema that answers have too keeps its id where both forms are the same, and else is called an input. */
function nameRequests(schemas: NamedSchemas, answers: NamedSchemas): NamedSchemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const twin = answers[id];
      if (twin && twin !== schema) throw new Error(`two schemas have the id ${id}`);
      const isOther = twin && formOf(schema, "request") !== formOf(schema, "answer");
      const name = isOther ? `${id}Input` : id;
      if (name !== id && schemas[name]) throw new Error(`two schemas have the id ${name}`);
      return [name, schema];
    }),
  );
}

function formOf(schema: z.ZodType, side: Side): string {
  const io = side === "request" ? "input" : "output";
  return JSON.stringify(
    tidy(z.toJSONSchema(schema, { io, metadata: NO_METADATA }) as JsonSchema, side),
  );
}

function convert(schemas: NamedSchemas, side: Side) {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: converted } = z.toJSONSchema(registry, {
    io: side === "request" ? "input" : "output",
    metadata: NO_METADATA,
    override: ({ zodSchema, jsonSchema }) => {
      // A schema with an id is described once, where it stands in the document.
      if (z.globalRegistry.get(zodSchema)?.id !== undefined) return;
      const description = descriptionOf(zodSchema);
      if (description !== undefined) jsonSchema.description = description;
    },
    uri: (id) => refTo("schemas", id).$ref,
  });
  return Object.fromEntries(
    Object.entries(converted)
      .filter(([name]) => name !== SHARED)
      .map(([name, schema]) => [name, tidy(schema as JsonSchema, side)]),
  );
}

function tidy(schema: JsonSchema, side: Side): JsonSchema {
  const reference = schema["$ref"];
  if (typeof reference === "string" && reference.includes(`/${SHARED}#`)) {
    return refTo("schemas", "JsonValue");
  }
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (isNoise(keyword, value, side)) return [];
      return [[keyword, tidyKeyword(keyword, value, side)]];
    }),
  );
}

function tidyKeyword(keyword: string, value: unknown, side: Side): unknown {
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([name, schema]) => [
          name,
          tidy(schema, side),
        ]),
      );
    case "anyOf":
    case "oneOf":
    case "allOf":
      return (value as JsonSchema[]).map((schema) => tidy(schema, side));
    case "items":
    case "additionalProperties":
      return typeof value === "object" ? tidy(value as JsonSchema, side) : value;
    default:
      return value;
  }
}

function isNoise(keyword: string, value: unknown, side: Side): boolean {
  switch (keyword) {
    case "$schema":
    case "$id":
      return true;
    // Left out: names of JSON members are always strings.
    case "propertyNames":
      return Object.keys(value as JsonSchema).join() === "type";
    // An answer has all its members, and may get new ones, which clients must accept.
    case "additionalProperties":
      return value === false && side === "answer";
    case "default":
      return side === "answer" || (typeof value === "string" && MADE_DEFAULT.test(value));
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    default:
      return false;
  }
}

function requireSeq(required: unknown): readonly string[] {
  return [...(required as readonly string[]), "seq"];
}

/** Adds a discriminator for code generators, where every branch has a name. */
function withDiscriminator(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (!Array.isArray(schema["oneOf"])) return schema;
  const references = (schema["oneOf"] as JsonSchema[]).map((branch) => String(branch["$ref"]));
  const branches = references.map((reference) => schemas[reference.split("/").at(-1) ?? ""]);
  const propertyName = ["type", "provider", "mode"].find((name) =>
    branches.every((branch) => constantOf(branch, name) !== undefined),
  );
  if (propertyName === undefined) return schema;
  const mapping = Object.fromEntries(
    branches.map((branch, index) => [constantOf(branch, propertyName), references[index]]),
  );
  return { ...schema, discriminator: { propertyName, mapping } };
}

function constantOf(schema: JsonSchema | undefined, property: string): string | undefined {
  const properties = schema?.["properties"] as Record<string, JsonSchema> | undefined;
  const constant = properties?.[property]?.["const"];
  return typeof constant === "string" ? constant : undefined;
}

function describeSchema(name: string, schema: JsonSchema): JsonSchema {
  const { answer, request } = namedSchemas();
  const named = answer[name] ?? request[name];
  const description = named && descriptionOf(named);
  const id = named && z.globalRegistry.get(named)?.id;
  const described = describeFields(name, schema);
  // The input form of a schema of answers has its fields described, and itself nowhere.
  return description === undefined || (id !== undefined && id !== name)
    ? described
    : { description, ...described };
}
