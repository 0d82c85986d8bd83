// Runs that are due at an alarm: on time, twice, late, after a day without the platform, after months of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { dueRuns, type DueRequest } from "../../../agent/triggers/due-runs.ts";
import { nextRun, scheduleTimes } from "../../../agent/triggers/schedule-times.ts";
import type { Trigger, TriggerSchedule } from "../../../protocol/triggers/contract.ts";
import {
  LATE_RUN_MS,
  MAX_CAUGHT_UP_RUNS,
  MAX_WALKED_TIMES,
} from "../../../protocol/triggers/limits.ts";

const HOUR_MS = 3_600_000;
const ID = "trg_01kaj2vm5p8r2t6v9x3z7b1d4f";
const HOURLY: TriggerSchedule = {
  type: "cron",
  expression: "0 * * * *",
  timezone: "Europe/Berlin",
};
const MINUTELY: TriggerSchedule = { type: "cron", expression: "* * * * *", timezone: "UTC" };
const START_MS = Date.parse("2026-11-30T12:00:00Z");
const POLICIES = ["skip", "run_once", "run_all"] as const;

function asked(more: Partial<DueRequest> = {}): DueRequest {
  return {
    schedule: HOURLY,
    triggerId: ID,
    afterMs: START_MS,
    nowMs: START_MS,
    missed: "skip",
    ...more,
  };
}

/** Hours after the start at which the runs are listed, and what is left out. */
function hoursOf(request: DueRequest) {
  const { runs, missed, decidedMs, isComplete } = dueRuns(request);
  const hours = (ms: number) => (ms - START_MS) / HOUR_MS;
  return { hours: runs.map(hours), missed, decided: hours(decidedMs), isComplete };
}

function beginsMs(afterMs: number): number {
  return nextRun(HOURLY, { afterMs, triggerId: ID })?.beginsMs ?? 0;
}

describe("an alarm", () => {
  it("begins nothing before the moment of the next run, whose listed time may have passed", () => {
    const firstMs = beginsMs(START_MS);

    expect(firstMs).toBeGreaterThan(START_MS + HOUR_MS);
    expect(hoursOf(asked({ nowMs: firstMs - 1 }))).toEqual({
      hours: [],
      missed: 0,
      decided: 0,
      isComplete: true,
    });
    expect(hoursOf(asked({ nowMs: firstMs }))).toEqual({
      hours: [1],
      missed: 0,
      decided: 1,
      isComplete: true,
    });
  });

  it("that comes twice begins nothing again", () => {
    const nowMs = beginsMs(START_MS);
    const { decidedMs } = dueRuns(asked({ nowMs }));

    expect(dueRuns(asked({ nowMs, afterMs: decidedMs })).runs).toEqual([]);
  });

  it.each(POLICIES)("that is late, and no more than that, begins its run: %s", (missed) => {
    const nowMs = beginsMs(START_MS) + LATE_RUN_MS;

    expect(hoursOf(asked({ nowMs, missed }))).toMatchObject({ hours: [1], missed: 0 });
  });

  it.each([
    ["skip", [], 1],
    ["run_once", [1], 0],
    ["run_all", [1], 0],
  ] as const)("that comes later has missed it: %s", (missed, hours, count) => {
    const nowMs = beginsMs(START_MS) + LATE_RUN_MS + 1;

    expect(hoursOf(asked({ nowMs, missed }))).toMatchObject({ hours, missed: count, decided: 1 });
  });
});

describe("25 hours without an alarm", () => {
  const missedMs = beginsMs(START_MS + 24 * HOUR_MS) + LATE_RUN_MS + 1;

  it.each([
    ["skip", [], 25],
    ["run_once", [25], 24],
    ["run_all", [16, 17, 18, 19, 20, 21, 22, 23, 24, 25], 15],
  ] as const)("by the policy %s", (missed, hours, count) => {
    expect(hoursOf(asked({ nowMs: missedMs, missed }))).toEqual({
      hours,
      missed: count,
      decided: 25,
      isComplete: true,
    });
  });

  it.each([
    ["skip", [25], 24],
    ["run_once", [25], 24],
    ["run_all", [16, 17, 18, 19, 20, 21, 22, 23, 24, 25], 15],
  ] as const)("that end when a run is due, which begins: %s", (missed, hours, count) => {
    const nowMs = beginsMs(START_MS + 24 * HOUR_MS);

    expect(hoursOf(asked({ nowMs, missed }))).toMatchObject({ hours, missed: count });
  });

  it("make a run of a single time late, or miss it", () => {
    const schedule: TriggerSchedule = { type: "once", run_at: "2026-11-30T13:00:00.000Z" };
    const late = hoursOf(asked({ schedule, nowMs: START_MS + 26 * HOUR_MS }));
    const once = hoursOf(asked({ schedule, nowMs: START_MS + 26 * HOUR_MS, missed: "run_once" }));
    const onTime = hoursOf(asked({ schedule, nowMs: START_MS + HOUR_MS }));

    expect(late).toEqual({ hours: [], missed: 1, decided: 1, isComplete: true });
    expect([once.hours, onTime.hours]).toEqual([[1], [1]]);
  });
});

describe("months without an alarm", () => {
  it("are decided in steps of bounded work, and nothing is lost between them", () => {
    const minutes = 2 * MAX_WALKED_TIMES + 500;
    const nowMs = START_MS + minutes * 60_000 + 30_000;
    let afterMs = START_MS;
    let [missed, begun, steps] = [0, 0, 0];
    let isComplete = false;
    while (!isComplete) {
      const step = dueRuns(asked({ schedule: MINUTELY, afterMs, nowMs, missed: "run_all" }));
      ({ isComplete, decidedMs: afterMs } = step);
      missed += step.missed;
      begun += step.runs.length;
      steps += 1;
    }

    expect([steps, begun, missed + begun]).toEqual([3, MAX_CAUGHT_UP_RUNS, minutes]);
    expect(afterMs).toBe(START_MS + minutes * 60_000);
  });
});

describe("any alarms", () => {
  it("begin each listed time once, or count it as missed", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40 * HOUR_MS }), { maxLength: 5 });
    const policy = fc.constantFrom<Trigger["missed"]>(...POLICIES);
    fc.assert(
      fc.property(gaps, policy, (alarms, missed) => {
        let [afterMs, nowMs, count] = [START_MS, START_MS, 0];
        const begun: number[] = [];
        for (const gapMs of alarms) {
          nowMs += gapMs;
          const step = dueRuns(asked({ afterMs, nowMs, missed }));
          afterMs = step.decidedMs;
          count += step.missed;
          begun.push(...step.runs);
        }
        const listed: number[] = [];
        const times = scheduleTimes(HOURLY);
        let timeMs = times.next(START_MS);
        while (timeMs !== null && timeMs <= afterMs) {
          listed.push(timeMs);
          timeMs = times.next(timeMs);
        }
        expect(new Set(begun).size).toBe(begun.length);
        expect(begun.every((ms) => listed.includes(ms))).toBe(true);
        expect(begun.length + count).toBe(listed.length);
        // Nothing whose moment has passed is still to be decided.
        expect(beginsMs(afterMs)).toBeGreaterThan(nowMs);
      }),
    );
  });
});
