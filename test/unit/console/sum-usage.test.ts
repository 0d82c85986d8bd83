import { describe, expect, test } from "vitest";

import { sumBySeries, sumRows, toChart } from "../../../console/pages/usage/sum-usage.ts";
import { daysOf, readChoice, type UsageChoice } from "../../../console/pages/usage/usage-filter.ts";
import type { UsageRow } from "../../../sdk/index.ts";

const NOW = Date.parse("2026-03-03T23:59:00.000Z");

function row(
  day: string,
  agent_id: string | null,
  tokens: number,
  cost_usd: number | null,
): UsageRow {
  return {
    day,
    agent_id,
    model_name: null,
    end_user_id: null,
    replies: 1,
    input_tokens: tokens,
    output_tokens: 0,
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cost_usd,
    audio_input_ms: 0,
    audio_output_ms: 0,
    audio_input_tokens: 0,
    audio_output_tokens: 0,
  };
}

function choose(measure: UsageChoice["measure"]): UsageChoice {
  return { by: "agent", measure, filter: { from: "2026-03-01", to: "2026-03-02" } };
}

const nameOf = (key: string | null) => key ?? "none";

describe("the choice in the address", () => {
  test("is the last thirty days in UTC, in tokens by agent, when nothing is chosen", () => {
    expect(readChoice({}, NOW)).toEqual({
      by: "agent",
      measure: "tokens",
      filter: { from: "2026-02-02", to: "2026-03-03" },
    });
  });

  test("passes days and filters on, and takes no other word for a choice", () => {
    const values = {
      by: "model",
      measure: "gold",
      from: "2026-01-01",
      to: "x",
      end_user_id: "ann",
    };
    expect(readChoice(values, NOW)).toEqual({
      by: "model",
      measure: "tokens",
      filter: { from: "2026-01-01", to: "2026-03-03", end_user_id: "ann" },
    });
  });

  test("has every day of a leap year's February, and none backwards", () => {
    expect(daysOf("2028-02-28", "2028-03-01")).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(daysOf("2026-03-02", "2026-03-01")).toEqual([]);
  });
});

describe("sums", () => {
  test("of money are not known when a part is not, beside the part that is", () => {
    const sum = sumRows(null, [row("2026-03-01", "a", 1, 0.5), row("2026-03-01", "b", 1, null)]);
    expect([sum.cost, sum.knownCost]).toEqual([null, 0.5]);
    expect(sumRows(null, []).cost).toBe(0);
  });

  test("keep what belongs to none apart from what is called so", () => {
    const sums = sumBySeries(
      [row("2026-03-01", null, 5, 0), row("2026-03-01", "null", 7, 0)],
      "agent",
    );
    expect(sums.map(({ key, input }) => [key, input])).toEqual([
      ["null", 7],
      [null, 5],
    ]);
  });
});

describe("the chart", () => {
  test("has a bar for each day, also for one without usage, and its parts make the day's total", () => {
    const rows = Array.from({ length: 9 }, (_, index) =>
      row("2026-03-02", `a${index}`, 10 - index, 0),
    );
    const total = rows.reduce((sum, { input_tokens }) => sum + input_tokens, 0);
    const chart = toChart([row("2026-03-02", null, total, 0)], rows, choose("tokens"), nameOf);

    expect(chart.series).toEqual(["a0", "a1", "a2", "a3", "a4", "a5", "others"]);
    expect(chart.columns.map(({ key, values }) => [key, values])).toEqual([
      ["2026-03-01", [0, 0, 0, 0, 0, 0, 0]],
      ["2026-03-02", [10, 9, 8, 7, 6, 5, 4 + 3 + 2]],
    ]);
  });

  test("puts a day whose parts were not read under others as a whole", () => {
    const totals = [row("2026-03-02", null, 3, 0), row("2026-03-01", null, 8, null)];
    const rows = [row("2026-03-02", "a", 3, 0)];
    const values = (measure: UsageChoice["measure"]) =>
      toChart(totals, rows, choose(measure), nameOf).columns.map((column) => column.values);

    expect(values("tokens")).toEqual([
      [0, 8],
      [3, 0],
    ]);
    expect(values("money")).toEqual([
      [0, null],
      [0, 0],
    ]);
  });

  test("has no others where all is named, whatever floating point numbers leave", () => {
    const rows = [row("2026-03-02", "a", 1, 0.1), row("2026-03-02", "b", 1, 0.2)];
    const chart = toChart([row("2026-03-02", null, 2, 0.1 + 0.2)], rows, choose("money"), nameOf);

    expect(chart.series).toEqual(["b", "a"]);
    expect(chart.columns[1]?.values).toEqual([0.2, 0.1]);
  });

  test("marks the part that is not known, and leaves the known ones as they are", () => {
    const rows = [row("2026-03-02", "a", 1, 0.1), row("2026-03-02", "b", 1, null)];
    const chart = toChart([row("2026-03-02", null, 2, null)], rows, choose("money"), nameOf);

    expect(chart.series).toEqual(["a", "b"]);
    expect(chart.columns[1]?.values).toEqual([0.1, null]);
  });
});
