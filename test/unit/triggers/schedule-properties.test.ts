// Listed times against a clock that walks minute by minute, for made-up expressions at each change of clocks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { scheduleTimes } from "../../../agent/triggers/schedule-times.ts";
import { readCron } from "../../../protocol/triggers/cron-expression.ts";

const MINUTE_MS = 60_000;

/** A window around each change, of which every minute is looked at. */
const WINDOWS = [
  ["Europe/Berlin", "2027-03-27T20:00:00Z"],
  ["Europe/Berlin", "2026-10-24T20:00:00Z"],
  ["America/Santiago", "2026-09-05T22:00:00Z"],
  ["America/Santiago", "2027-04-03T22:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T10:00:00Z"],
  ["Australia/Lord_Howe", "2027-04-03T10:00:00Z"],
  ["Antarctica/Troll", "2027-03-27T22:00:00Z"],
  ["Antarctica/Troll", "2026-10-24T22:00:00Z"],
  ["Asia/Kolkata", "2028-02-28T12:00:00Z"],
] as const;
const WINDOW_MINUTES = 30 * 60;

interface WallMinute {
  readonly timeMs: number;
  /** Minute, hour, day of the month, month, day of the week. */
  readonly fields: readonly number[];
  /** The clock shows this minute for the first time. */
  readonly isFirst: boolean;
}

function minutesOf(timeZone: string, from: string): readonly WallMinute[] {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const seen = new Set<string>();
  return Array.from({ length: WINDOW_MINUTES }, (_, index) => {
    const timeMs = Date.parse(from) + index * MINUTE_MS;
    const text = format.format(timeMs);
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = text.split(/\D+/).map(Number);
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    const isFirst = !seen.has(text);
    seen.add(text);
    return { timeMs, fields: [minute, hour, day, month, weekday], isFirst };
  });
}

const MINUTES = WINDOWS.map(([zone, from]) => minutesOf(zone, from));
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

function hasNumber(text: string, value: number, place: number): boolean {
  const [min, max] = RANGES[place] ?? [0, 0];
  return text.split(",").some((item) => {
    const [range = "", step = "1"] = item.split("/");
    const [from = min, to] = range === "*" ? [min, max] : range.split("-").map(Number);
    const last = to ?? from;
    return value >= from && value <= last && (value - from) % Number(step) === 0;
  });
}

function isDue(expression: string, { fields, isFirst }: WallMinute): boolean {
  const texts = expression.split(" ");
  const fits = texts.map((text, place) => hasNumber(text, fields[place] ?? -1, place));
  const [minute, hour, day, month, weekday] = fits;
  const isEither = texts[2] !== "*" && texts[4] !== "*";
  const fitsDay = isEither ? day || weekday : day && weekday;
  const isRepeated = texts[0]?.startsWith("*") || texts[1]?.startsWith("*");
  return Boolean(minute && hour && month && fitsDay && (isFirst || isRepeated));
}

function field(min: number, max: number): fc.Arbitrary<string> {
  const number = fc.integer({ min, max });
  const range = fc
    .tuple(number, number)
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`);
  const step = fc.integer({ min: 1, max: Math.min(max, 20) });
  const item = fc.oneof(
    number.map(String),
    range,
    fc.tuple(range, step).map(([text, by]) => `${text}/${by}`),
  );
  return fc.oneof(
    fc.constant("*"),
    step.map((by) => `*/${by}`),
    fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(",")),
  );
}

/** Hours near the changes, so that most expressions are due there. */
const EXPRESSION = fc
  .tuple(
    field(0, 59),
    fc.oneof(field(0, 4), field(0, 23), fc.constant("23,0,1")),
    fc.oneof({ weight: 3, arbitrary: fc.constant("*") }, field(1, 31)),
    fc.oneof({ weight: 3, arbitrary: fc.constant("*") }, field(1, 12)),
    fc.oneof({ weight: 3, arbitrary: fc.constant("*") }, field(0, 6)),
  )
  .map((fields) => fields.join(" "));

describe("the times of any expression", () => {
  it("are those of a clock that is looked at each minute", () => {
    const window = fc.integer({ min: 0, max: WINDOWS.length - 1 });
    fc.assert(
      fc.property(EXPRESSION, window, (expression, place) => {
        expect(readCron(expression).ok).toBe(true);
        const [timezone, from] = WINDOWS[place] ?? WINDOWS[0];
        const minutes = MINUTES[place] ?? [];
        const expected = minutes.filter((minute) => isDue(expression, minute));
        const times = scheduleTimes({ type: "cron", expression, timezone });
        const lastMs = minutes.at(-1)?.timeMs ?? 0;
        const found: number[] = [];
        let timeMs = times.next(Date.parse(from) - 1);
        while (timeMs !== null && timeMs <= lastMs) {
          found.push(timeMs);
          timeMs = times.next(timeMs);
        }
        const iso = (ms: number) => new Date(ms).toISOString();
        expect(found.map(iso)).toEqual(expected.map((minute) => iso(minute.timeMs)));
      }),
    );
  });
});
