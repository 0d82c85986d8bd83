// JSON Schemas that a reply may be asked to fill in.
import { describe, expect, it } from "vitest";

import { StructuredSchemaSchema } from "../../../protocol/schemas/structured-schema.ts";

function errorsOf(schema: unknown): readonly unknown[] {
  const { error } = StructuredSchemaSchema.safeParse(schema);
  return (error?.issues ?? []).map(({ path, message }) => [path, message]);
}

function withProperty(property: unknown): Record<string, unknown> {
  return { type: "object", properties: { a: property } };
}

function nest(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) {
    schema = { type: "object", properties: { a: schema } };
  }
  return schema;
}

/** Each definition asks the next one twice of the same value. */
function doubling(definitions: number): Record<string, unknown> {
  const $defs = Object.fromEntries(
    Array.from({ length: definitions }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { allOf: [next, next] }];
    }),
  );
  return {
    ...withProperty({ $ref: "#/$defs/d0" }),
    $defs: { ...$defs, [`d${definitions}`]: true },
  };
}

describe("a schema for structured output", () => {
  it.each<[string, Record<string, unknown>]>([
    ["an empty object", { type: "object" }],
    [
      "every keyword",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "Order",
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", pattern: "^[A-Z]+$", minLength: 1, "x-unknown": {} },
          amount: { type: ["number", "null"], minimum: 0, multipleOf: 0.01 },
          lines: { type: "array", items: { $ref: "#/$defs/line" }, maxItems: 9 },
          pair: { prefixItems: [{ type: "integer" }, true] },
          kind: { anyOf: [{ enum: ["a", "b"] }, { const: 5 }, { not: { type: "null" } }] },
        },
        patternProperties: { "^x-": {} },
        additionalProperties: false,
        $defs: { line: { type: "object" } },
      },
    ],
    [
      "one that is recursive in its members",
      {
        ...withProperty({ type: "array", items: { $ref: "#" } }),
        $defs: { "a/b": true },
      },
    ],
    [
      "a reference with an escaped name",
      {
        ...withProperty({ $ref: "#/$defs/a~1b%20c" }),
        $defs: { "a/b c": true },
      },
    ],
    [
      "a property with the name of a keyword",
      { type: "object", properties: { $ref: { type: "string" }, pattern: {} } },
    ],
    ["some levels", { ...nest(20) }],
  ])("may be %s", (_what, schema) => {
    expect(errorsOf(schema)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no object's schema", { type: "string" }, '"type": "object"'],
    ["without a type", { properties: {} }, '"type": "object"'],
    ["too long", { type: "object", description: "x".repeat(70_000) }, "65536 bytes"],
    ["too deep", { ...nest(30) }, "levels at most"],
    ["with an unknown type", withProperty({ type: "date" }), "#/properties/a/type: give one of"],
    ["with a property that is no schema", withProperty("string"), "#/properties/a is no schema"],
    [
      "with properties in a list",
      { type: "object", properties: [] },
      "#/properties: give an object",
    ],
    [
      "with a required that is no list",
      { type: "object", required: "a" },
      "#/required: give names",
    ],
    ["with a broken pattern", withProperty({ pattern: "(" }), "no regular expression"],
    [
      "with a broken key",
      { type: "object", patternProperties: { "[": {} } },
      "no regular expression",
    ],
    ["with an empty anyOf", withProperty({ anyOf: [] }), "#/properties/a/anyOf: give schemas"],
    [
      "with a negative length",
      withProperty({ minLength: -1 }),
      "minLength: give a number from 0 up",
    ],
    ["with items in a list", withProperty({ items: [{}] }), "#/properties/a/items: give a schema"],
    [
      "with a reference outside",
      withProperty({ $ref: "https://example.com/a" }),
      "a reference within",
    ],
    ["with a reference to nothing", withProperty({ $ref: "#/$defs/b" }), "no schema at #/$defs/b"],
    [
      "with a base of its own",
      { type: "object", $id: "https://example.com" },
      "$id: is not supported",
    ],
    ["that asks itself", { type: "object", allOf: [{ $ref: "#" }] }, "refers to itself"],
    ["that asks more than anybody can answer", doubling(40), "asks too much of one value"],
  ])("may not be one %s", (_what, schema, message) => {
    expect(errorsOf(schema)).toEqual([[[], expect.stringContaining(message)]]);
  });
});
