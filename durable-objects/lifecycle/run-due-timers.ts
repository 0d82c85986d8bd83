// Runs the handlers of due timers when the object's alarm fires. The alarm may come late, early, twice or while nothing
// is due; long work runs outside of it, because it has fifteen minutes and is repeated when it throws.
import {
  TIMER_RETRY_MAX_MS,
  TIMER_RETRY_MS,
  MAX_CRASHES_WHILE_WAKING,
} from "../../protocol/replies/limits.ts";
import type { DueTimer, Timer, TimerKind, Timers } from "../tables/timers.ts";

/**
 * Each handler sets its timer anew, or clears it, before it awaits anything; long work runs in the background.
 * `isSpent`: the attempts are used up, each of which crashed the object or threw.
 */
export type TimerHandlers = Readonly<Record<TimerKind, (isSpent: boolean) => void>>;

/**
 * Sets another alarm on disk before anything is done, so that an object that crashes in here is woken again: soon, and
 * not at once, since it may crash again. The attempt is counted for timers whose handler does its work at once.
 * Contract: never rejects for a handler that throws; its timers are retried later. @param isErased True once the tables
 * are gone.
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
    timers.begin("left", nowMs);
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

/** Exponential back-off by the number of failed attempts. */
function retryMs(due: readonly DueTimer[]): number {
  const most = Math.max(...due.map(({ begun }) => begun));
  return Math.min(TIMER_RETRY_MS * 2 ** most, TIMER_RETRY_MAX_MS);
}

/** Postpones timers that are still due; those that the handler has cleared or set anew stay as they are. */
function putOff(timers: Timers, due: readonly DueTimer[]): void {
  const nowMs = Date.now();
  const left = timers.due(nowMs);
  const isLeft = (timer: Timer) =>
    left.some(({ kind, id }) => kind === timer.kind && id === timer.id);
  for (const timer of due) {
    if (isLeft(timer)) timers.putOff(timer, nowMs + retryMs(due));
  }
}
