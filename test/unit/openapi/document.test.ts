import { describe, expect, it } from "vitest";

import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";
import type {
  Components,
  JsonSchema,
  MediaType,
  ResponseObject,
} from "../../../openapi/document-types.ts";
import { findDescriptionKey } from "../../../openapi/describe-fields.ts";
import { eventSchemaName } from "../../../openapi/event-schemas.ts";
import { buildLlmsText } from "../../../openapi/build-llms-text.ts";
import {
  FIELD_DESCRIPTIONS,
  PATH_PARAMETER_DESCRIPTIONS,
  QUERY_PARAMETER_DESCRIPTIONS,
  TAGS,
} from "../../../openapi/contracts.ts";
import { namedSchemas } from "../../../openapi/json-schemas.ts";
import { RUN_REFUSALS } from "../../../protocol/ag-ui/run-refusals.ts";
import { ROUTES, type Route } from "../../../protocol/routes.ts";
import { ERRORS, type ErrorCode } from "../../../protocol/errors.ts";
import { EventType } from "../../../protocol/event-type.ts";
import { BROAD } from "../../support/breadth.ts";
import { schemaValidator } from "../../support/openapi-validator.ts";

const document = buildOpenApiDocument();
const components = document.components as unknown as Record<string, Record<string, unknown>>;
const routes: readonly Route[] = ROUTES;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const titled = operations.map((row) => [`${row.method} ${row.path}`, row] as const);

function resolve<Value>(value: unknown): Value {
  const reference = (value as { $ref?: string }).$ref;
  if (reference === undefined) return value as Value;
  const [, , kind = "", name = ""] = reference.split("/");
  return components[kind]?.[name] as Value;
}

/** Every object in a value, with the way to it. */
function* walk(value: unknown, path = "#"): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* walk(member, `${path}/${key}`);
}

function mediaTypesOf(path: string, method: string): readonly MediaType[] {
  const operation = document.paths[path]![method]!;
  const responses = Object.values(operation.responses).map((response) =>
    resolve<ResponseObject>(response),
  );
  return [operation.requestBody, ...responses].flatMap((part) =>
    Object.values(part?.content ?? {}),
  );
}

const TOLD_BY_SOCKETS: readonly ErrorCode[] = [
  "audio_format_unsupported",
  "connection_expired",
  "floor_taken",
  "reader_too_slow",
  "speech_not_transcribed",
  "text_turn_unsupported",
  "too_much_audio",
  "voice_connected",
  "voice_failed",
  "voice_off",
];

describe("the OpenAPI document", () => {
  it("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it("holds every route of the table once and nothing else", () => {
    const documented = operations.map(({ path, method, operation }) => [
      operation.operationId,
      method.toUpperCase(),
      path,
    ]);

    expect(documented.sort()).toEqual(
      routes.map(({ name, method, path }) => [name, method, path]).sort(),
    );
  });

  it("resolves every reference, and names nothing that nobody refers to", () => {
    const references = [...walk(document)].flatMap(([, value]) =>
      typeof value["$ref"] === "string" ? [value["$ref"]] : [],
    );
    const named = (Object.keys(components) as (keyof Components)[])
      .filter((kind) => kind !== "securitySchemes")
      .flatMap((kind) =>
        Object.keys(components[kind]!).map((name) => `#/components/${kind}/${name}`),
      );

    expect([...new Set(references)].sort()).toEqual(named.sort());
  });

  it.each(titled)("%s declares its path's parameters and no other", (_, { path, operation }) => {
    const parameters = operation.parameters.map((parameter) =>
      resolve<{ name: string; in: string; required?: boolean }>(parameter),
    );

    const declared = parameters.filter((parameter) => parameter.in === "path");
    expect(declared.map(({ name, required }) => [name, required])).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
    );
    const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(titled)("%s says what it is, and describes each answer", (_, { operation }) => {
    const descriptions = Object.values(operation.responses).map(
      (response) => resolve<ResponseObject>(response).description,
    );

    expect(operation.tags.map((tag) => Object.hasOwn(TAGS, tag))).toEqual([true]);
    expect([operation.summary, operation.description, ...descriptions]).not.toContain("");
  });

  it.each(titled)("%s takes a body exactly where the table has one", (_, row) => {
    const route = routes.find(({ name }) => name === row.operation.operationId);

    expect(row.operation.requestBody !== undefined).toBe(route?.body !== "none");
  });

  it.each(titled)("%s gives examples that fit", (_, { path, method }) => {
    const validate = schemaValidator(document, { isClosed: true });
    const misfits = mediaTypesOf(path, method).flatMap(({ schema, examples = {} }) =>
      Object.values(examples).flatMap((example) =>
        validate(schema, resolve<{ value: unknown }>(example).value),
      ),
    );

    expect(misfits).toEqual([]);
  });

  // A file has no schema.
  it.each(titled.filter(([, { operation }]) => operation.requestBody?.content["application/json"]))(
    "%s shows bodies that the platform's own schema takes",
    (_, { operation }) => {
      const [media] = Object.values(operation.requestBody!.content);
      const name = String(media!.schema["$ref"]).split("/").at(-1);

      const refused = Object.values(media!.examples ?? {}).filter(
        (example) =>
          !namedSchemas().request[name!]!.safeParse(resolve<{ value: unknown }>(example).value)
            .success,
      );

      expect([refused, Object.keys(media!.examples ?? {}).length > 0]).toEqual([[], true]);
    },
  );

  it("names every error code at a route, but for those that no problem has", () => {
    const used = new Set(
      [...walk(document.components.responses)].flatMap(([path, value]) =>
        path.endsWith("/properties/code") ? (value["enum"] as string[]) : [],
      ),
    );

    // Of the last ones runs tell in their streams, and WebSockets in frames and closes.
    const elsewhere = [
      "method_not_allowed",
      "room_not_copied",
      ...RUN_REFUSALS,
      ...TOLD_BY_SOCKETS,
    ];
    expect([...new Set([...used, ...elsewhere])].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it("gives every default a value that fits", BROAD, () => {
    const validate = schemaValidator(document, { isClosed: false });
    const misfits = [...walk(document)].flatMap(([path, value]) =>
      Object.hasOwn(value, "default") && !path.endsWith("/properties")
        ? validate(value, value["default"]).map((misfit) => `${path} ${misfit}`)
        : [],
    );

    expect(misfits).toEqual([]);
  });

  it("has a schema with a seq for each of the 28 events", () => {
    const schemas = Object.keys(EventType).map((type) => {
      const { properties, required } = document.components.schemas[eventSchemaName(type)] as {
        properties: Record<string, JsonSchema>;
        required: string[];
      };
      return [properties["type"]?.["const"], required.includes("seq")];
    });

    expect(schemas).toEqual(Object.keys(EventType).map((type) => [type, true]));
  });

  it("describes `format` by the values that it takes at each route", () => {
    const formats = Object.values(document.components.parameters)
      .filter(({ name }) => name === "format")
      .map(({ description, schema }) => {
        const values = schema["enum"] as string[];
        return [values, values.filter((value) => description.includes(`\`${value}\``))];
      });

    expect(formats).toEqual([
      [
        ["json", "csv"],
        ["json", "csv"],
      ],
      [
        ["json", "jsonl"],
        ["json", "jsonl"],
      ],
      [
        ["agentscope", "agentscope-1", "agentscope-java"],
        ["agentscope", "agentscope-1", "agentscope-java"],
      ],
      [
        ["agentscope", "ag-ui"],
        ["agentscope", "ag-ui"],
      ],
      [
        ["agentscope", "agentscope-1", "agentscope-java", "ag-ui"],
        ["agentscope", "agentscope-1", "agentscope-java", "ag-ui"],
      ],
      [
        ["agentscope", "agentscope-realtime"],
        ["agentscope", "agentscope-realtime"],
      ],
      [
        ["agentscope", "agentscope-java", "ag-ui"],
        ["agentscope", "agentscope-java", "ag-ui"],
      ],
    ]);
  });

  it("describes no parameter that no route has", () => {
    const { parameters } = document.components;
    const namesIn = (place: string) =>
      Object.values(parameters)
        .filter((parameter) => parameter.in === place)
        .map(({ name }) => name);

    expect(new Set(namesIn("path"))).toEqual(new Set(Object.keys(PATH_PARAMETER_DESCRIPTIONS)));
    expect(new Set(namesIn("query"))).toEqual(new Set(Object.keys(QUERY_PARAMETER_DESCRIPTIONS)));
  });

  it("describes every field, and no field that is not there", () => {
    const missing: string[] = [];
    const used = new Set<string>();
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [path, field] of fieldsOf(schema)) {
        const key = findDescriptionKey(name, path);
        if (field["description"] === undefined) missing.push(`${name}.${path.join(".")}`);
        if (key !== null && FIELD_DESCRIPTIONS[key] === field["description"]) used.add(key);
      }
    }

    expect(missing).toEqual([]);
    expect([...used].sort()).toEqual(Object.keys(FIELD_DESCRIPTIONS).sort());
  });
});

describe("/llms.txt", () => {
  it("has a line for each route, with the summary of the document", () => {
    const lines = buildLlmsText()
      .split("\n")
      .filter((line) => line.startsWith("- `"));

    expect(lines.sort()).toEqual(
      operations
        .map(
          ({ path, method, operation }) =>
            `- \`${method.toUpperCase()} ${path}\`: ${operation.summary}`,
        )
        .sort(),
    );
  });
});

function fieldsOf(
  schema: JsonSchema,
  path: readonly string[] = [],
): readonly (readonly [readonly string[], JsonSchema])[] {
  const { properties = {}, items } = schema as {
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  const own = Object.entries(properties).flatMap(([name, field]) => [
    [[...path, name], field] as const,
    ...fieldsOf(field, [...path, name]),
  ]);
  return items ? [...own, ...fieldsOf(items, path)] : own;
}
