// Messages about a value that does not fit: where it is wrong, and what would fit.
import { describe, expect, it } from "vitest";

import { findMisfit } from "../../../../agent/json-schema/find-misfit.ts";

function told(schema: Record<string, unknown>, value: unknown): string | null {
  return findMisfit(value, schema, { schemaName: "it" })?.text ?? null;
}

const NAMED = {
  $id: "https://shop.example/schemas/order.json",
  properties: {
    line: { $ref: "line.json" },
    price: { $ref: "#price" },
    total: { $ref: "/schemas/order.json#/definitions/total" },
  },
  definitions: { total: { type: "number" }, price: { $anchor: "price", minimum: 0 } },
  $defs: {
    line: {
      $id: "line.json",
      properties: { count: { $ref: "#/$defs/count" } },
      $defs: { count: { type: "integer" } },
    },
  },
};

describe("a value that does not fit", () => {
  it.each<[string, Record<string, unknown>, unknown, string]>([
    [
      "a type",
      { type: ["object", "null"] },
      [],
      "# has to be of type object or null, and is of type array",
    ],
    ["a value", { const: { a: 1 } }, 5, '# has to be {"a":1}'],
    ["a list of values", { enum: ["a", 1] }, "b", '# has to be one of ["a",1]'],
    ["a lower bound", { minimum: 3 }, 2, "# is 2, and has to be 3 at least"],
    ["an upper bound", { maximum: 3 }, 4, "# is 4, and may be 3 at most"],
    ["an open bound", { exclusiveMinimum: 3 }, 3, "# is 3, and has to be above 3"],
    [
      "an open bound of the fourth draft",
      { maximum: 3, exclusiveMaximum: true },
      3,
      "# is 3, and may be 3 at most",
    ],
    ["a divisor", { multipleOf: 0.1 }, 0.35, "# is 0.35, and has to be a multiple of 0.1"],
    ["a length", { minLength: 2 }, "😀", "# has 1 characters, and needs 2"],
    ["a pattern", { pattern: "^a" }, "b", "# does not match the pattern ^a"],
    ["a format", { format: "date" }, "2026-02-30", "# is no date"],
    ["a count of items", { maxItems: 1 }, [1, 2], "# has 2 items, and may have 1"],
    [
      "differing items",
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }],
      "# has the same item at 0 and 2",
    ],
    [
      "an item",
      { prefixItems: [true], items: { type: "string" } },
      [1, 2],
      "#/1 has to be of type string, and is of type number",
    ],
    [
      "an item of an older draft",
      { items: [true], additionalItems: false },
      [1, 2],
      "#/1 may not be there",
    ],
    [
      "a kind of items",
      { contains: { type: "null" } },
      [1],
      "# has 0 items of the kind that it needs 1 of",
    ],
    ["a property", { required: ["order_id"] }, {}, '# lacks the property "order_id"'],
    [
      "a property of another",
      { dependentRequired: { a: ["b"] } },
      { a: 1 },
      '# lacks the property "b", which "a" needs',
    ],
    [
      "a property of another, in an older draft",
      { dependencies: { a: ["b"] } },
      { a: 1 },
      '# lacks the property "b", which "a" needs',
    ],
    [
      "a closed object",
      { properties: { a: true }, additionalProperties: false },
      { "b/~": 1 },
      "#/b~1~0 may not be there",
    ],
    [
      "an object closed from outside",
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      "#/b may not be there",
    ],
    [
      "a name",
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      "#/ab has 2 characters, and may have 1",
    ],
    ["what is excluded", { not: { type: "string" } }, "a", "# fits what it may not fit"],
    [
      "one of several",
      { oneOf: [{ type: "string" }, { minLength: 1 }] },
      "a",
      "# may fit only one of the schemas in oneOf, and fits 2",
    ],
    [
      "any of several",
      { anyOf: [{ minimum: 2 }, { type: "string" }] },
      1,
      "# is 1, and has to be 2 at least; # has to be of type string, and is of type number",
    ],
    [
      "a schema by its address",
      NAMED,
      { line: { count: "1" } },
      "#/line/count has to be of type integer, and is of type string",
    ],
    ["a schema by its anchor", NAMED, { price: -1 }, "#/price is -1, and has to be 0 at least"],
    [
      "a schema by its pointer",
      NAMED,
      { total: "1" },
      "#/total has to be of type number, and is of type string",
    ],
  ])("%s is told so", (_what, schema, value, text) => {
    expect(told(schema, value)).toBe(`does not fit it: ${text}`);
  });

  it("is told five reasons at most, and long values in part", () => {
    expect(told({ items: { type: "string" } }, [1, 2, 3, 4, 5, 6, 7])?.split("; ")).toHaveLength(5);
    expect(told({ enum: ["x".repeat(10_000)] }, 1)?.length).toBeLessThan(300);
    expect(told({ required: ["x".repeat(10_000)] }, {})?.length).toBeLessThan(300);
  });

  it.each<[Record<string, unknown>, unknown, string]>([
    [{ required: true }, {}, "its keyword required has no list as its value"],
    [{ items: 5 }, [1], "a schema in it is neither an object nor a boolean"],
    [{ $ref: "#/$defs/none" }, 1, "its reference #/$defs/none leads nowhere"],
    [{ $ref: "https://shop.example/" }, 1, "its reference https://shop.example/ leads nowhere"],
    [{ pattern: "(" }, "a", "its pattern ( is no regular expression"],
    [{ pattern: "\\p{None}" }, "a", "its pattern \\p{None} is no regular expression"],
  ])("is not blamed for a schema that cannot be used", (schema, value, problem) => {
    expect(told(schema, value)).toBe(`cannot be checked, as it is not usable: ${problem}`);
  });
});

it.each<[string, readonly string[], readonly string[]]>([
  ["date", ["2024-02-29"], ["2026-02-29", "2026-13-01", "26-01-01"]],
  ["time", ["23:59:60Z", "01:00:00.5+01:30"], ["24:00:00Z", "12:00:60Z", "12:00:00"]],
  ["date-time", ["2026-01-31T23:59:59Z"], ["2026-01-31", "2026-02-31T00:00:00Z"]],
  ["duration", ["P1Y2M3DT4H5M6S", "PT1H", "P2W"], ["P", "PT", "P1S", "1D"]],
  ["email", ["a.b+c@shop.example", '"a b"@[127.0.0.1]'], ["a", "a..b@c", "a@-b", "@b"]],
  ["hostname", ["shop.example", "a"], ["-a", "a..b", "a_b", `${"a".repeat(64)}.b`]],
  ["ipv4", ["127.0.0.1"], ["256.0.0.1", "1.2.3", "01.2.3.4"]],
  [
    "ipv6",
    ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::"],
    ["1", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9"],
  ],
  [
    "uri",
    ["https://shop.example/a?b#c", "urn:a:b"],
    ["//shop.example", "a b", "https://[", "%zz:"],
  ],
  ["uri-reference", ["../a", "#b", ""], ["a b", "\\"]],
  [
    "uuid",
    ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
    ["2eb8aa08", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"],
  ],
  ["json-pointer", ["", "/a~1b/0"], ["a", "/~2"]],
  ["relative-json-pointer", ["0", "1/a", "2#"], ["/a", "01", "-1"]],
  ["regex", ["^(?=a)\\p{L}$"], ["(", "\\p{None}"]],
  ["made-up", ["anything"], []],
])("the format %s is held to", (format, good, bad) => {
  expect(good.map((value) => told({ format }, value))).toEqual(good.map(() => null));
  expect(bad.map((value) => told({ format }, value))).toEqual(
    bad.map(() => `does not fit it: # is no ${format}`),
  );
});
