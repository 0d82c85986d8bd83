// The times of a cron expression in a zone, by its literal wall clock: a time that clocks leave out is none, and one that they
// show twice counts once, or twice where the expression asks for every minute or hour.
import { Cron } from "croner";

import { readCron } from "../../protocol/triggers/cron-expression.ts";
import { MAX_DROPPED_TIMES } from "../../protocol/triggers/limits.ts";

export interface CronTimes {
  /** The first time after this one, in Unix milliseconds; null when there is none. */
  next(afterMs: number): number | null;
}

/** Milliseconds before a time in which clocks can have gone back: by three hours at most, in all zones. */
const BEHIND_SHIFT_MS = 3 * 3_600_000;

/** @throws Error for an expression, or a zone, that its contract would have refused. */
export function cronTimes(expression: string, timezone: string): CronTimes {
  const reading = readCron(expression);
  if (!reading.ok) throw new Error(`the cron expression ${reading.problem}`);
  const { pattern, is_repeated: isRepeated } = reading;
  // Without a function to call, so that it sets no timer.
  const cron = new Cron(pattern, { timezone, mode: "5-part", paused: true });
  const offsetOf = zoneOffsets(timezone);

  /** The library moves times out of the hour that clocks leave out; they do not fit the expression then. */
  function isOwn(time: Date): boolean {
    return cron.match(time) && (isRepeated || !isSecond(time.getTime()));
  }

  /** The clock has shown the same time before. */
  function isSecond(timeMs: number): boolean {
    const backMs = offsetOf(timeMs - BEHIND_SHIFT_MS) - offsetOf(timeMs);
    return backMs > 0 && offsetOf(timeMs - backMs) - offsetOf(timeMs) === backMs;
  }

  return {
    next(afterMs) {
      let from = new Date(afterMs);
      for (let dropped = 0; dropped <= MAX_DROPPED_TIMES; dropped += 1) {
        const time = cron.nextRun(from);
        if (!time) return null;
        if (isOwn(time)) return time.getTime();
        from = time;
      }
      return null;
    },
  };
}

/** The milliseconds by which the zone's clock is ahead of UTC at a time. */
function zoneOffsets(timeZone: string): (timeMs: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (timeMs) => {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const [year, month, day] = [part("year"), part("month") - 1, part("day")];
    const clock = Date.UTC(year, month, day, part("hour"), part("minute"), part("second"));
    return clock - Math.floor(timeMs / 1_000) * 1_000;
  };
}
