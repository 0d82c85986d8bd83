// What the object's alarm does. It may come late, early, twice or while nothing is due; the work itself runs outside
// the alarm, which has fifteen minutes and is repeated when it throws.
import { TIMER_RETRY_MS } from "../protocol/limits-durability.ts";
import type { Timer, TimerKind, Timers } from "./timers.ts";

/** Each sets its timer anew, or clears it, before it waits for anything; what takes long goes on in the background. */
export type TimerHandlers = Readonly<Record<TimerKind, () => void>>;

/**
 * Another alarm is on disk before anything is done, so that an object that dies in here is woken again: soon, and not
 * at once, since it may die of the same. Contract: never rejects for a handler that throws; its timers are tried again
 * after a while. @param isErased True once there are no timers any more.
 */
export async function runDueTimers(
  timers: Timers,
  handlers: TimerHandlers,
  isErased: () => boolean,
): Promise<void> {
  const nowMs = Date.now();
  const due = timers.due(nowMs);
  if (due.length > 0) await timers.armFor(nowMs + TIMER_RETRY_MS);
  if (isErased()) return;
  for (const kind of new Set(due.map((timer) => timer.kind))) {
    try {
      handlers[kind]();
    } catch (error) {
      console.error("a timer could not be served", { kind, error: String(error) });
      putOff(
        timers,
        due.filter((timer) => timer.kind === kind),
      );
    }
  }
  timers.rearm();
}

/** Those that the handler has cleared or set anew stay as they are. */
function putOff(timers: Timers, due: readonly Timer[]): void {
  const nowMs = Date.now();
  const left = timers.due(nowMs);
  for (const { kind, id } of due) {
    const isLeft = left.some((timer) => timer.kind === kind && timer.id === id);
    if (isLeft) timers.set({ kind, id }, nowMs + TIMER_RETRY_MS);
  }
}
