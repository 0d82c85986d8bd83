import { expect, test } from "vitest";

import { findTicks } from "../../../console/components/charts/find-ticks.ts";

test.each([
  [0, [0, 1]],
  [Number.NaN, [0, 1]],
  [1, [0, 0.25, 0.5, 0.75, 1]],
  [3, [0, 1, 2, 3]],
  [0.0012, [0, 0.0005, 0.001, 0.0015]],
  [1_010_000, [0, 500_000, 1_000_000, 1_500_000]],
])("an axis up to %d has round steps that reach it", (highest, ticks) => {
  expect(findTicks(highest, 4)).toEqual(ticks);
});

test("no axis has more steps than asked for, and none ends below the data", () => {
  for (const highest of [0.3, 0.7, 7, 99, 100, 101, 123_456, 9.99e11]) {
    const ticks = findTicks(highest, 4);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
  }
});
