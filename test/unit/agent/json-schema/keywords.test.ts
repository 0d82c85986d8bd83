// Keywords that the oracle's schemas do not draw.
import { describe, expect, it } from "vitest";

import { findMisfit } from "../../../../agent/json-schema/find-misfit.ts";
import type { JsonSchema } from "../../../../protocol/schemas/structured-output.ts";

function fits(schema: object, value: unknown): boolean {
  return findMisfit(value, schema as JsonSchema, { schemaName: "the schema" }) === null;
}

describe("items that no other keyword has looked at", () => {
  it.each<[object, readonly unknown[], boolean]>([
    [{ unevaluatedItems: false }, [], true],
    [{ unevaluatedItems: false }, [1], false],
    [{ unevaluatedItems: true }, [1], true],
    [{ unevaluatedItems: { type: "number" } }, [1, 2], true],
    [{ unevaluatedItems: { type: "number" } }, [1, "a"], false],
    [{ prefixItems: [true], unevaluatedItems: false }, [1], true],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], false],
    [{ items: true, unevaluatedItems: false }, [1, 2], true],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", "b"], true],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", 1], false],
    [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1], true],
    [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1, 2], false],
  ])("%j and %j: %s", (schema, value, isFit) => {
    expect(fits(schema, value)).toBe(isFit);
  });
});

describe("members that no other keyword has looked at", () => {
  it.each<[object, object, boolean]>([
    [{ unevaluatedProperties: false }, {}, true],
    [{ unevaluatedProperties: false }, { a: 1 }, false],
    [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1 }, true],
    [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1, b: 2 }, false],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, true],
    [{ unevaluatedProperties: { type: "number" } }, { a: 1 }, true],
    [{ unevaluatedProperties: { type: "number" } }, { a: "x" }, false],
  ])("%j and %j: %s", (schema, value, isFit) => {
    expect(fits(schema, value)).toBe(isFit);
  });
});

it("a schema is found by its anchor, of either kind", () => {
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const schema = { $defs: { short: { [keyword]: "s", maxLength: 1 } }, $ref: "#s" };

    expect([fits(schema, "a"), fits(schema, "ab")]).toEqual([true, false]);
  }
});

it("two constants of one schema are two, also where they are the same object's", () => {
  const list = ["a"];
  const schema = { properties: { one: { const: list }, any: { enum: list } } };

  expect([
    fits(schema, { one: ["a"], any: "a" }),
    fits(schema, { one: "a" }),
    fits(schema, { any: ["a"] }),
  ]).toEqual([true, false, false]);
});
