// The runs that are due at an alarm, which may be late, doubled, or the first one after days.
import type { Trigger, TriggerSchedule } from "../../protocol/triggers/contract.ts";
import {
  LATE_RUN_MS,
  MAX_CAUGHT_UP_RUNS,
  MAX_WALKED_TIMES,
} from "../../protocol/triggers/limits.ts";
import { jitterMs, scheduleTimes } from "./schedule-times.ts";

export interface DueRequest {
  readonly schedule: TriggerSchedule;
  readonly triggerId: string;
  /** The time up to which all was decided, in Unix milliseconds. */
  readonly afterMs: number;
  readonly nowMs: number;
  readonly missed: Trigger["missed"];
}

export interface DueRuns {
  /** Listed times whose runs begin now, the oldest first. */
  readonly runs: readonly number[];
  /** Number of further times that were due, whose runs are left out. */
  readonly missed: number;
  /** The time up to which all is decided now: `afterMs` of the next request. */
  readonly decidedMs: number;
  /** False where more is due than one step looks at: ask again at once. */
  readonly isComplete: boolean;
}

/**
 * Decides about each time once: what is `decidedMs` here is never due again. The newest time begins unless it is missed, by
 * more than `LATE_RUN_MS`; those before it are missed, and the policy says which of them are made up for: `skip` none,
 * `run_once` the newest of all, `run_all` the newest ten.
 */
export function dueRuns({ schedule, triggerId, afterMs, nowMs, missed }: DueRequest): DueRuns {
  const times = scheduleTimes(schedule);
  const due: number[] = [];
  let nextMs = times.next(afterMs);
  let lateMs = 0;
  while (nextMs !== null && nextMs <= nowMs && due.length < MAX_WALKED_TIMES) {
    const followingMs = times.next(nextMs);
    const beginsMs = nextMs + jitterMs(triggerId, nextMs, followingMs);
    if (beginsMs > nowMs) break;
    due.push(nextMs);
    lateMs = nowMs - beginsMs;
    nextMs = followingMs;
  }
  const isComplete = due.length < MAX_WALKED_TIMES || nextMs === null || nextMs > nowMs;
  // Times that a step has no room to look at are newer than all that it has seen.
  const most = isComplete ? mostRuns(missed, lateMs > LATE_RUN_MS) : 0;
  const runs = most === 0 ? [] : due.slice(-most);
  return {
    runs,
    missed: due.length - runs.length,
    decidedMs: due.at(-1) ?? afterMs,
    isComplete,
  };
}

function mostRuns(policy: Trigger["missed"], isMissed: boolean): number {
  if (policy === "run_all") return MAX_CAUGHT_UP_RUNS;
  return policy === "run_once" || !isMissed ? 1 : 0;
}
