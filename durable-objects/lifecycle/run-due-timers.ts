// What the object's alarm does. It may come late, early, twice or while nothing is due; the work itself runs outside
// the alarm, which has fifteen minutes and is repeated when it throws.
import {
  TIMER_RETRY_MAX_MS,
  TIMER_RETRY_MS,
  MAX_CRASHES_WHILE_WAKING,
} from "../../protocol/limits/recovery.ts";
import type { DueTimer, Timer, TimerKind, Timers } from "../tables/timers.ts";

/**
 * Each sets its timer anew, or clears it, before it waits for anything; what takes long goes on in the background.
 * `isSpent`: it has been tried as often as it may, and each time the machine died or it threw.
 */
export type TimerHandlers = Readonly<Record<TimerKind, (isSpent: boolean) => void>>;

/**
 * Another alarm is on disk before anything is done, so that an object that dies in here is woken again: soon, and not
 * at once, since it may die of the same. What is served at once is counted with it. Contract: never rejects for a
 * handler that throws; its timers are tried again after a while. @param isErased True once there are no timers any more.
 */
export async function runDueTimers(
  timers: Timers,
  handlers: TimerHandlers,
  isErased: () => boolean,
): Promise<void> {
  const nowMs = Date.now();
  const due = timers.due(nowMs);
  if (due.length > 0) {
    timers.begin("expiry", nowMs);
    await timers.armFor(nowMs + retryMs(due));
  }
  if (isErased()) return;
  for (const kind of new Set(due.map((timer) => timer.kind))) {
    const ofKind = due.filter((timer) => timer.kind === kind);
    try {
      handlers[kind](ofKind.some(({ begun }) => begun >= MAX_CRASHES_WHILE_WAKING));
    } catch (error) {
      console.error("timer handler failed; will retry", { kind, error: String(error) });
      putOff(timers, ofKind);
    }
  }
  timers.rearm();
}

/** Longer each time that they were served in vain. */
function retryMs(due: readonly DueTimer[]): number {
  const most = Math.max(...due.map(({ begun }) => begun));
  return Math.min(TIMER_RETRY_MS * 2 ** most, TIMER_RETRY_MAX_MS);
}

/** Those that the handler has cleared or set anew stay as they are. */
function putOff(timers: Timers, due: readonly DueTimer[]): void {
  const nowMs = Date.now();
  const left = timers.due(nowMs);
  const isLeft = (timer: Timer) =>
    left.some(({ kind, id }) => kind === timer.kind && id === timer.id);
  for (const timer of due) {
    if (isLeft(timer)) timers.putOff(timer, nowMs + retryMs(due));
  }
}
