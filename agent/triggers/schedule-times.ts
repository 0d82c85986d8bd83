// The times at which a trigger is due, and the moment at which each of its runs begins.
import type { TriggerSchedule } from "../../protocol/triggers/contract.ts";
import { readCron } from "../../protocol/triggers/cron-expression.ts";
import {
  JITTER_SHARE,
  MAX_JITTER_MS,
  SHOWN_UPCOMING_RUNS,
} from "../../protocol/triggers/limits.ts";
import { cronTimes } from "./cron-times.ts";

/** The times of a schedule in their order. */
export interface ScheduleTimes {
  /** The first time after this one, in Unix milliseconds; null when there is none. */
  next(afterMs: number): number | null;
}

/** Times are made of the rule each time that they are asked for: zones change, and a rule stays what was meant. */
export function scheduleTimes(schedule: TriggerSchedule): ScheduleTimes {
  if (schedule.type === "cron") return cronTimes(schedule.expression, schedule.timezone);
  const runAtMs = Date.parse(schedule.run_at);
  return { next: (afterMs) => (runAtMs > afterMs ? runAtMs : null) };
}

/** The problem of a schedule that a request brings, as a sentence that begins behind its name; null for a good one. */
export function findScheduleProblem(schedule: TriggerSchedule, nowMs: number): string | null {
  if (schedule.type === "once") {
    return Date.parse(schedule.run_at) > nowMs ? null : "has a run_at that has passed";
  }
  const reading = readCron(schedule.expression);
  if (!reading.ok) return reading.problem;
  return scheduleTimes(schedule).next(nowMs) === null ? "is never due" : null;
}

/** The next times as a trigger shows them: listed times, without what its jitter adds. */
export function upcomingRuns(schedule: TriggerSchedule | null, afterMs: number): readonly string[] {
  if (!schedule) return [];
  const times = scheduleTimes(schedule);
  const upcoming: string[] = [];
  let timeMs = times.next(afterMs);
  while (timeMs !== null && upcoming.length < SHOWN_UPCOMING_RUNS) {
    upcoming.push(new Date(timeMs).toISOString());
    timeMs = times.next(timeMs);
  }
  return upcoming;
}

/** The first time after this one and the moment at which its run begins; null when the schedule has ended. */
export function nextRun(
  schedule: TriggerSchedule,
  { afterMs, triggerId }: { readonly afterMs: number; readonly triggerId: string },
): { readonly scheduledMs: number; readonly beginsMs: number } | null {
  const times = scheduleTimes(schedule);
  const scheduledMs = times.next(afterMs);
  if (scheduledMs === null) return null;
  const behindMs = jitterMs(triggerId, scheduledMs, times.next(scheduledMs));
  return { scheduledMs, beginsMs: scheduledMs + behindMs };
}

/**
 * Milliseconds behind its listed time at which a run begins: the same share of the interval for all runs of a trigger, so
 * that a repeated step finds the same moment, and triggers of one minute do not begin together.
 * @param followingMs The time after this one; a last one has no interval, and no jitter.
 */
export function jitterMs(
  triggerId: string,
  scheduledMs: number,
  followingMs: number | null,
): number {
  if (followingMs === null) return 0;
  const mostMs = Math.min((followingMs - scheduledMs) * JITTER_SHARE, MAX_JITTER_MS);
  return Math.floor(mostMs * shareOf(triggerId));
}

/** A number in [0, 1) that follows from the text: FNV-1a with the last step of MurmurHash3, as ids begin alike. */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
