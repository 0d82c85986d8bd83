// Listed times by the literal wall clock: the rows of what croner does at changes of clocks, in four zones, and leap days.
import { describe, expect, it } from "vitest";

import {
  findScheduleProblem,
  jitterMs,
  nextRun,
  scheduleTimes,
  upcomingRuns,
} from "../../../agent/triggers/schedule-times.ts";
import type { TriggerSchedule } from "../../../protocol/triggers/contract.ts";
import { MAX_JITTER_MS } from "../../../protocol/triggers/limits.ts";

const BERLIN = "Europe/Berlin";
const SANTIAGO = "America/Santiago";
const LORD_HOWE = "Australia/Lord_Howe";
const HOUR_MS = 3_600_000;

function cron(expression: string, timezone = BERLIN): TriggerSchedule {
  return { type: "cron", expression, timezone };
}

/** Times from one to another one, as they are listed. */
function timesOf(schedule: TriggerSchedule, from: string, until: string): readonly string[] {
  const times = scheduleTimes(schedule);
  const listed: string[] = [];
  let timeMs = times.next(Date.parse(from));
  while (timeMs !== null && timeMs < Date.parse(until)) {
    listed.push(new Date(timeMs).toISOString().replace(":00.000Z", "Z"));
    timeMs = times.next(timeMs);
  }
  return listed;
}

/** Times of one day of the zone, which is 23 to 25 hours long. */
function timesAt(zone: string, expression: string, [from, until]: readonly [string, string]) {
  return timesOf(cron(expression, zone), from, until);
}

/** The days of the changes, a moment before each begins and the moment at which it ends. */
const BERLIN_SPRING = ["2027-03-27T22:59:59Z", "2027-03-28T22:00:00Z"] as const;
const BERLIN_AUTUMN = ["2026-10-24T21:59:59Z", "2026-10-25T23:00:00Z"] as const;
const SANTIAGO_SPRING = ["2026-09-06T03:59:59Z", "2026-09-07T03:00:00Z"] as const;
const SANTIAGO_AUTUMN = ["2027-04-03T02:59:59Z", "2027-04-04T04:00:00Z"] as const;
const LORD_HOWE_SPRING = ["2026-10-03T13:29:59Z", "2026-10-04T13:00:00Z"] as const;
const LORD_HOWE_AUTUMN = ["2027-04-03T12:59:59Z", "2027-04-04T13:30:00Z"] as const;

describe("where clocks go forward, a time that they leave out is none", () => {
  it("in Berlin, whose 02:00 to 03:00 is left out", () => {
    const at = (expression: string) => timesAt(BERLIN, expression, BERLIN_SPRING);

    expect(at("30 2 * * *")).toEqual([]);
    expect(at("*/30 2 * * *")).toEqual([]);
    expect(at("0 2,3 * * *")).toEqual(["2027-03-28T01:00Z"]);
    expect(at("30 1,2,3 * * *")).toEqual(["2027-03-28T00:30Z", "2027-03-28T01:30Z"]);
    expect(at("59 1 * * *")).toEqual(["2027-03-28T00:59Z"]);
    expect(at("0 * * * *")).toHaveLength(23);
  });

  it("in Santiago, whose first hour of the day is left out", () => {
    const at = (expression: string) => timesAt(SANTIAGO, expression, SANTIAGO_SPRING);

    expect(at("30 0 * * *")).toEqual([]);
    expect(at("0 0 * * *")).toEqual([]);
    expect(at("0 1 * * *")).toEqual(["2026-09-06T04:00Z"]);
    expect(at("0 * * * *")).toHaveLength(23);
  });

  it("on Lord Howe Island, where half an hour is left out", () => {
    const at = (expression: string) => timesAt(LORD_HOWE, expression, LORD_HOWE_SPRING);

    expect(at("15 2 * * *")).toEqual([]);
    expect(at("30 2 * * *")).toEqual(["2026-10-03T15:30Z"]);
    expect(at("*/15 2 * * *")).toEqual(["2026-10-03T15:30Z", "2026-10-03T15:45Z"]);
  });
});

describe("where clocks go back, a time that they show twice", () => {
  it("in Berlin counts once, or twice where minute or hour begin with a star", () => {
    const at = (expression: string) => timesAt(BERLIN, expression, BERLIN_AUTUMN);

    expect(at("30 2 * * *")).toEqual(["2026-10-25T00:30Z"]);
    expect(at("30 1,2 * * *")).toEqual(["2026-10-24T23:30Z", "2026-10-25T00:30Z"]);
    expect(at("5 2-3 * * *")).toEqual(["2026-10-25T00:05Z", "2026-10-25T02:05Z"]);
    expect(at("0-59 2 * * *")).toHaveLength(60);
    expect(at("* 2 * * *")).toHaveLength(120);
    expect(at("*/30 2 * * *")).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T00:30Z",
      "2026-10-25T01:00Z",
      "2026-10-25T01:30Z",
    ]);
    expect(at("30 */2 * * *").filter((time) => time.startsWith("2026-10-25T0"))).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-25T01:30Z",
      "2026-10-25T03:30Z",
      "2026-10-25T05:30Z",
      "2026-10-25T07:30Z",
      "2026-10-25T09:30Z",
    ]);
    expect(at("0 * * * *")).toHaveLength(25);
  });

  it("in Santiago, whose last hour of the day is repeated", () => {
    const at = (expression: string) => timesAt(SANTIAGO, expression, SANTIAGO_AUTUMN);

    expect(at("30 23 * * *")).toEqual(["2027-04-04T02:30Z"]);
    expect(at("*/30 23 * * *")).toHaveLength(4);
    expect(at("0 * * * *")).toHaveLength(25);
  });

  it("on Lord Howe Island, where half an hour is repeated", () => {
    const at = (expression: string) => timesAt(LORD_HOWE, expression, LORD_HOWE_AUTUMN);

    expect(at("45 1 * * *")).toEqual(["2027-04-03T14:45Z"]);
    expect(at("15 1 * * *")).toEqual(["2027-04-03T14:15Z"]);
    expect(at("45 * * * *").slice(0, 3)).toEqual([
      "2027-04-03T13:45Z",
      "2027-04-03T14:45Z",
      "2027-04-03T15:15Z",
    ]);
  });
});

describe("the calendar", () => {
  it("has leap days, and the same hours all year where no clock changes", () => {
    const leap = timesOf(cron("0 0 29 2 *", "UTC"), "2026-11-01T00:00:00Z", "2037-01-01T00:00:00Z");
    const kolkata = timesOf(
      cron("30 9 1 3,10 *", "Asia/Kolkata"),
      "2026-11-01T00:00:00Z",
      "2028-01-01T00:00:00Z",
    );

    expect(leap).toEqual(["2028-02-29T00:00Z", "2032-02-29T00:00Z", "2036-02-29T00:00Z"]);
    expect(kolkata).toEqual(["2027-03-01T04:00Z", "2027-10-01T04:00Z"]);
  });

  it("takes either of a day of the month and a weekday, as POSIX does, and 7 as Sunday", () => {
    const either = timesOf(
      cron("0 0 13 * 5", "UTC"),
      "2026-11-01T00:00:00Z",
      "2026-12-01T00:00:00Z",
    );
    const [seven, zero] = ["7", "0"].map((day) =>
      timesOf(cron(`0 0 * * ${day}`, "UTC"), "2026-11-01T12:00:00Z", "2026-11-16T00:00:00Z"),
    );

    expect(either).toEqual([
      "2026-11-06T00:00Z",
      "2026-11-13T00:00Z",
      "2026-11-20T00:00Z",
      "2026-11-27T00:00Z",
    ]);
    expect(seven).toEqual(["2026-11-08T00:00Z", "2026-11-15T00:00Z"]);
    expect(zero).toEqual(seven);
  });
});

describe("a schedule that a request brings", () => {
  const nowMs = Date.parse("2026-11-30T12:00:00Z");

  it("is never due, or was due, by name", () => {
    const problems = [
      cron("0 0 31 2 *"),
      cron("0 0 30 2 *"),
      cron("@hourly"),
      { type: "once", run_at: "2026-11-30T12:00:00.000Z" } as const,
      cron("0 0 29 2 *"),
      { type: "once", run_at: "2026-11-30T12:00:00.001Z" } as const,
    ].map((schedule) => findScheduleProblem(schedule, nowMs));

    expect(problems).toEqual([
      "is never due",
      "is never due",
      "has @hourly; write five fields, such as 0 0 * * *",
      "has a run_at that has passed",
      null,
      null,
    ]);
  });

  it("lists its next five times, or those that there are", () => {
    const once: TriggerSchedule = { type: "once", run_at: "2026-12-01T00:00:00.000Z" };

    expect(upcomingRuns(cron("0 9 * * *"), nowMs)).toEqual(
      [1, 2, 3, 4, 5].map((day) => `2026-12-0${day}T08:00:00.000Z`),
    );
    expect(upcomingRuns(once, nowMs)).toEqual(["2026-12-01T00:00:00.000Z"]);
    expect(upcomingRuns(once, Date.parse(once.run_at))).toEqual([]);
    expect(upcomingRuns(null, nowMs)).toEqual([]);
  });
});

describe("the beginning of a run", () => {
  it("is the same each time, at most a tenth of the interval and ten minutes behind its listed time", () => {
    const ids = Array.from({ length: 500 }, (_, index) => `trg_01kaj2vm5p8r2t6v9x3z7b${index}`);
    const hourly = ids.map((id) => jitterMs(id, 0, HOUR_MS));
    const daily = ids.map((id) => jitterMs(id, 0, 24 * HOUR_MS));

    expect(ids.map((id) => jitterMs(id, 0, HOUR_MS))).toEqual(hourly);
    expect(Math.min(...hourly)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...hourly)).toBeLessThan(HOUR_MS / 10);
    expect(Math.max(...daily)).toBeLessThan(MAX_JITTER_MS);
    // Ten minutes are filled: no minute of them has twice its share.
    const perMinute = Array.from(
      { length: 10 },
      (_, minute) => daily.filter((ms) => Math.floor(ms / 60_000) === minute).length,
    );
    expect(Math.max(...perMinute)).toBeLessThan(100);
    expect(Math.min(...perMinute)).toBeGreaterThan(20);
  });

  it("is that of its listed time for the last one, which has no interval", () => {
    const run_at = "2026-12-01T00:00:00.000Z";
    const once = nextRun({ type: "once", run_at }, { afterMs: 0, triggerId: "trg_1" });
    const none = nextRun(
      { type: "once", run_at },
      { afterMs: Date.parse(run_at), triggerId: "trg_1" },
    );

    expect(once).toEqual({ scheduledMs: Date.parse(run_at), beginsMs: Date.parse(run_at) });
    expect(none).toBeNull();
  });
});
