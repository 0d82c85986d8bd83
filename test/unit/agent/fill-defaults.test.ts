// The defaults that a schema declares.
import { describe, expect, it } from "vitest";

import { fillDefaults } from "../../../agent/fill-defaults.ts";

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
    expect(fillDefaults(NESTED, value)).toEqual(filled);
  });

  it("leaves what is there, and what is no object, as it is", () => {
    const value = Object.freeze({ first: null, customer: 5, orders: "none", more: [1] });

    expect(fillDefaults(NESTED, value)).toEqual(value);
    expect(fillDefaults(NESTED, 7)).toBe(7);
  });

  it("takes a default as it stands, so that a schema within itself comes to an end", () => {
    const schema = { type: "object", properties: { child: { $ref: "#", default: {} } } };

    expect(fillDefaults(schema, {})).toEqual({ child: {} });
    expect(fillDefaults({ $ref: "#" }, { a: 1 })).toEqual({ a: 1 });
  });

  it("sets no prototype by a member of that name", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"default":{"a":1}}}}') as object;
    const filled = fillDefaults({ ...schema }, {}) as object;

    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"a":1}}');
  });
});
