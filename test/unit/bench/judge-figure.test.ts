import { describe, expect, it } from "vitest";

import type { Figure } from "../../../bench/cell.ts";
import { describeCell } from "../../../bench/report/describe-cell.ts";
import { judgeFigure, ratiosTo } from "../../../bench/report/judge-figure.ts";

const FIGURE: Figure = {
  name: "added",
  unit: "ms",
  samples: { raw: [1, 2, 4], reprise: [2, 6, 8], "cf-agents": [20] },
};

describe("a figure's targets", () => {
  it("are held against ratios within a round, not between medians", () => {
    expect(ratiosTo(FIGURE.samples, "reprise", "raw")).toEqual([2, 3, 2]);
    expect(judgeFigure({ ...FIGURE, targets: [{ type: "ratio", to: "raw", max: 2 }] })).toEqual([
      { isMet: true, text: "added: ≤ 2 × raw: met, 2.00 ×" },
    ]);
  });

  it("are missed below a least and above a most", () => {
    const targets = [
      { type: "ratio", to: "cf-agents", min: 0.5 },
      { type: "over", peer: "raw", max: 3 },
      { type: "value", max: 5 },
    ] as const;

    expect(judgeFigure({ ...FIGURE, targets })).toEqual([
      { isMet: false, text: "added: ≥ 0.5 × cf-agents: MISSED, 0.10 ×" },
      { isMet: false, text: "added: ≤ 3 ms over raw: MISSED, 4.00 ms" },
      { isMet: false, text: "added: ≤ 5 ms: MISSED, 6.00 ms" },
    ]);
  });

  it("are neither met nor missed by a peer that was left out", () => {
    expect(judgeFigure({ ...FIGURE, targets: [{ type: "ratio", to: "node", max: 1 }] })).toEqual([
      { isMet: null, text: "added: ≤ 1 × node: not measured" },
    ]);
  });
});

describe("a figure's row", () => {
  it("has the median, its ratio with the spread, and how many rounds the slow ones had", () => {
    const cell = { name: "steady", title: "tokens", isQuick: true, run: async () => [] };

    expect(describeCell(cell, [FIGURE]).split("\n").at(-1)).toBe(
      "| added | 2.00 ms (1.00–4.00) | 6.00 ms, 2.00 × (2.00–3.00) | 20.0 ms, 20.0 ×, 1 of 3 rounds |",
    );
  });
});
