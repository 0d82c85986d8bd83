import { describe, expect, it } from "vitest";

import { quantile } from "../../../bench/statistics.ts";

describe("a quantile", () => {
  it("is the middle value of an odd number, in any order", () => {
    expect(quantile([30, 10, 20], 0.5)).toBe(20);
  });

  it("lies between the middle two of an even number, and is not the greater one", () => {
    expect(quantile([10, 30], 0.5)).toBe(20);
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  });

  it("lies as far between two values as its share falls", () => {
    const hundred = Array.from({ length: 101 }, (_, value) => value);

    expect([quantile(hundred, 0.99), quantile([0, 10], 0.25), quantile([7], 0.99)]).toEqual([
      99, 2.5, 7,
    ]);
  });

  it("of nothing is no number", () => {
    expect(quantile([], 0.5)).toBeNaN();
  });
});
