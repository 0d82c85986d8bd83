import { expect, test } from "vitest";

import type { WaterfallRow } from "../../../console/pages/session/lay-out-waterfall.ts";
import { scaleOf } from "../../../console/pages/session/scale-of.ts";

type Bar = WaterfallRow["bars"][number];

function row(...bars: readonly (readonly [Bar["kind"], number, number])[]): WaterfallRow {
  const shown = bars.map(([kind, startMs, endMs]) => ({ kind, startMs, endMs }));
  return { bars: shown } as unknown as WaterfallRow;
}

test("work of seconds stays visible beside a wait of a day, and short waits keep their length", () => {
  const day = 86_400_000;
  const rows = [
    row(["work", 0, 4_000]),
    row(["permission", 4_000, 4_000 + day], ["work", 4_000 + day, 8_000 + day]),
  ];
  const { at, shortened } = scaleOf(rows, 8_000 + day);
  const places = [0, 4_000, 4_000 + day / 2, 4_000 + day, 8_000 + day].map(at);

  expect(shortened).toEqual([{ startMs: 4_000, endMs: 4_000 + day }]);
  // Four seconds, three for the wait, four seconds.
  expect(places.map((place) => Math.round(place * 11_000))).toEqual([
    0, 4_000, 5_500, 7_000, 11_000,
  ]);
});

test("a timeline without long waits is proportional, also one without any work", () => {
  const short = scaleOf([row(["work", 0, 100]), row(["external_result", 100, 2_000])], 2_000);
  const none = scaleOf([], 1);

  expect([short.at(500), short.shortened, none.at(1)]).toEqual([0.25, [], 1]);
});

test("what works beside a wait keeps the time as it is", () => {
  const rows = [row(["permission", 0, 60_000]), row(["work", 0, 60_000])];

  expect(scaleOf(rows, 60_000).shortened).toEqual([]);
});
