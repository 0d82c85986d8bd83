import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { findShapeViolation } from "../../../protocol/json-shape.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the shape of JSON text", () => {
  test("nesting up to the limit passes and one level more does not", () => {
    const texts = [
      "[".repeat(3) + "]".repeat(3),
      "[".repeat(4) + "]".repeat(4),
      '{"a":[{"b":[1]}]}',
    ];

    expect(texts.map((text) => findShapeViolation(text, { depth: 3, values: 100 }))).toEqual([
      null,
      "too_deep",
      "too_deep",
    ]);
  });

  test("brackets, commas and escaped quotes inside strings count for nothing", () => {
    const text = JSON.stringify({ a: '[[[[{{{,,,,"\\', 'b"[[[[': ["\\\\", '\\"[[['] });

    expect(findShapeViolation(text, { depth: 2, values: 4 })).toBe(null);
  });

  test("more values than the limit are found", () => {
    const text = JSON.stringify(Array.from({ length: 50 }, () => 0));

    expect([50, 49].map((values) => findShapeViolation(text, { depth: 9, values }))).toEqual([
      null,
      "too_many_values",
    ]);
  });

  test("the depth that it finds is the depth of the parsed value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const depth = depthOf(value);
        const text = JSON.stringify(value);

        expect(
          [depth, depth - 1].map((limit) =>
            findShapeViolation(text, { depth: limit, values: 1e9 }),
          ),
        ).toEqual([null, depth === 0 ? null : "too_deep"]);
      }),
    );
  });

  test("hostile text of eight million characters is read to its end", () => {
    const texts = ['"' + "\\".repeat(8_000_000), '\\"'.repeat(4_000_000), "[".repeat(8_000_000)];

    const found = texts.map((text) => findShapeViolation(text, { depth: 7_999_999, values: 1e9 }));

    expect(found).toEqual([null, null, "too_deep"]);
  });
});
