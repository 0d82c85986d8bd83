// The time of day of the Worker and its objects. Timers go on as they are: see held-timers.ts.
import { onTestFinished, vi } from "vitest";

/** Puts the clock forward until the end of the test; it stands still from then on. */
export function advanceClock(byMs: number): void {
  const nowMs = Date.now() + byMs;
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.setSystemTime(nowMs);
}
