import { describe, expect, it } from "vitest";

import type { Figure } from "../../../bench/cell.ts";
import { measureGrowth } from "../../../bench/measure-growth.ts";
import { describeCell } from "../../../bench/report/describe-cell.ts";
import { judgeFigure } from "../../../bench/report/judge-figure.ts";

const CELL = { name: "growth", title: "many things", isQuick: false, run: async () => [] };

/** Doubles with the size, or does not. */
function measureOf(order: string[], name: string, grow: (size: number) => number) {
  return (size: number) => ({
    name,
    unit: "rows" as const,
    maxGrowth: 1.5,
    async measure() {
      order.push(`${name} ${size}`);
      return grow(size);
    },
  });
}

describe("what is measured at growing sizes", () => {
  it("stands beside itself, with the last over the first, and is judged by that", async () => {
    const order: string[] = [];
    const flat = measureOf(order, "flat", () => 7);
    const linear = measureOf(order, "linear", (size) => size);

    const figures = await measureGrowth({
      sizes: [1, 10, 100],
      what: "things",
      rounds: 1,
      open: async (size) => [flat(size), linear(size)],
    });

    expect(describeCell(CELL, figures).split("\n")).toEqual([
      "## growth: many things",
      "",
      "|  | 1 things | 10 things | 100 things | last over first |",
      "| --- | --- | --- | --- | --- |",
      "| flat | 7.00 rows | 7.00 rows | 7.00 rows | 1.00 × |",
      "| linear | 1.00 rows | 10.0 rows | 100 rows | 100 × |",
      "",
      "- flat: ≤ 1.5 × the least size: met, 1.00 ×",
      "- linear: ≤ 1.5 × the least size: MISSED, 100 ×",
    ]);
  });

  it("takes turns, so that noise meets all sizes; the first round is not counted", async () => {
    const order: string[] = [];
    let calls = 0;
    const counting = measureOf(order, "count", () => (calls += 1));

    const [figure] = await measureGrowth({
      sizes: [1, 10],
      what: "things",
      rounds: 2,
      open: async (size) => [counting(size)],
    });

    expect(order).toEqual(["count 1", "count 10", "count 1", "count 10", "count 1", "count 10"]);
    expect(figure?.growth).toEqual([
      { size: "1 things", samples: [3, 5] },
      { size: "10 things", samples: [4, 6] },
    ]);
  });

  it("is measured before the next size is made when all of them are one state", async () => {
    const order: string[] = [];
    const counting = measureOf(order, "count", () => 0);

    await measureGrowth({
      sizes: [1, 10],
      what: "things",
      rounds: 1,
      isShared: true,
      open: async (size) => {
        order.push(`open ${size}`);
        return [counting(size)];
      },
    });

    expect(order).toEqual(["open 1", "count 1", "count 1", "open 10", "count 10", "count 10"]);
  });

  it("is flat when it is nothing at every size", () => {
    const nothing: Figure = {
      name: "reads",
      unit: "rows" as const,
      samples: { reprise: [0] },
      growth: [
        { size: "1", samples: [0] },
        { size: "10", samples: [0] },
      ],
      targets: [{ type: "flat", max: 1.5 }],
    };

    expect(judgeFigure(nothing)).toEqual([
      { isMet: true, text: "reads: ≤ 1.5 × the least size: met, 1.00 ×" },
    ]);
  });
});
