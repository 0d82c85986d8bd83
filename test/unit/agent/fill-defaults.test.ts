// The defaults that a schema declares.
import { describe, expect, it } from "vitest";

import { fillDefaults } from "../../../agent/json/fill-defaults.ts";
import { StepBudget } from "../../../agent/step-budget.ts";

const NESTED = {
  type: "object",
  properties: {
    customer: { type: "object", properties: { name: { default: "unknown" } } },
    orders: { type: "array", items: { $ref: "#/$defs/order" } },
    first: { allOf: [{ $ref: "#/$defs/status" }] },
  },
  $defs: {
    status: { type: "string", default: "open" },
    order: { properties: { status: { $ref: "#/$defs/status" }, next: { $ref: "#/$defs/order" } } },
  },
};

const LIMIT = 100_000;

function fill(schema: Record<string, unknown>, value: unknown, budget = new StepBudget(LIMIT)) {
  return fillDefaults(schema, value, budget);
}

describe("fillDefaults", () => {
  it.each([
    ["a member that is missing", {}, { first: "open" }],
    [
      "an inner object",
      { customer: {}, first: "x" },
      { customer: { name: "unknown" }, first: "x" },
    ],
    [
      "items and recursive references",
      { orders: [{ next: { status: "paid" } }], first: "x" },
      { orders: [{ next: { status: "paid" }, status: "open" }], first: "x" },
    ],
  ])("fills %s", (_what, value, filled) => {
    expect(fill(NESTED, value)).toEqual(filled);
  });

  it("leaves what is there, and what is no object, as it is", () => {
    const value = Object.freeze({ first: null, customer: 5, orders: "none", more: [1] });

    expect(fill(NESTED, value)).toEqual(value);
    expect(fill(NESTED, 7)).toBe(7);
  });

  it("takes a default as it stands, so that a schema within itself comes to an end", () => {
    const schema = { type: "object", properties: { child: { $ref: "#", default: {} } } };

    expect(fill(schema, {})).toEqual({ child: {} });
    expect(fill({ $ref: "#" }, { a: 1 })).toEqual({ a: 1 });
  });

  it("sets no prototype by a member of that name", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"default":{"a":1}}}}') as object;
    const filled = fill({ ...schema }, {}) as object;

    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"a":1}}');
  });

  it("asks once for what a schema asks for twice at each level", () => {
    const inner = () => ({ properties: { a: { $ref: "#" } } });
    const twice = { allOf: [inner(), inner()], properties: { b: { default: 1 } } };
    const nested = (levels: number): object =>
      levels === 0 ? { b: 1 } : { a: nested(levels - 1), b: 1 };
    const deep = JSON.parse('{"a":'.repeat(30) + "{}" + "}".repeat(30)) as object;
    const budget = new StepBudget(100_000);

    expect(fill(twice, deep, budget)).toEqual(nested(30));
  });

  it("returns the value as it is when the schema asks for too much", () => {
    const long = { items: { properties: { text: { default: "x".repeat(1_000) } } } };
    const many = Array.from({ length: 1_000 }, () => ({}));
    const budget = new StepBudget(LIMIT);

    expect(fill(long, many, budget)).toBe(many);
    expect(budget.spent).toBe(LIMIT);
  });

  it("follows a reference with a percent sign that stands for itself", () => {
    const schema = { properties: { a: { $ref: "#/$defs/%zz" } }, $defs: { "%zz": { default: 1 } } };

    expect(fill(schema, {})).toEqual({ a: 1 });
  });
});
