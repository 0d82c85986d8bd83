// The time that a stream may be silent, and the time that it may only show that it is alive, on a clock that the test
// moves.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { StallWatchdog } from "../../../model/stream/stall-watchdog.ts";
import { HEARTBEAT_STALLS, MAX_MODEL_HEARTBEAT_MS } from "../../../protocol/models/limits.ts";

const STALL_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function startWatchdog(stallMs = STALL_MS): StallWatchdog {
  const watchdog = new StallWatchdog(new AbortController().signal, stallMs);
  watchdog.start();
  return watchdog;
}

/** Does something once each `everyMs`, and tells after how long the stream was given up, up to `forMs`. */
function livedMs(
  watchdog: StallWatchdog,
  everyMs: number,
  forMs: number,
  onBeat: (beat: number) => void,
): number | null {
  for (let beat = 1; beat * everyMs <= forMs; beat += 1) {
    vi.advanceTimersByTime(everyMs);
    if (watchdog.signal.aborted) return beat * everyMs;
    onBeat(beat);
  }
  return null;
}

function bring(watchdog: StallWatchdog, hasSaid: boolean): void {
  watchdog.heard();
  watchdog.attend();
  watchdog.listen(hasSaid);
}

describe("a stream", () => {
  it("without a byte is given up when its silence has lasted too long", () => {
    const watchdog = startWatchdog();

    expect(livedMs(watchdog, 100, 10_000, () => {})).toBe(STALL_MS);
  });

  it.each([
    ["comments", (watchdog: StallWatchdog) => watchdog.heard()],
    ["events that bring nothing", (watchdog: StallWatchdog) => bring(watchdog, false)],
  ])("of %s alone lives longer, and not for ever", (_case, beat) => {
    const watchdog = startWatchdog();

    const lived = livedMs(watchdog, 500, 100_000, () => beat(watchdog));

    expect(lived).toBe(STALL_MS * HEARTBEAT_STALLS);
  });

  it("of comments alone lives no longer than a bound, however long its silence may last", () => {
    const watchdog = startWatchdog(300_000);

    const lived = livedMs(watchdog, 100_000, 10_000_000, () => watchdog.heard());

    expect(lived).toBe(MAX_MODEL_HEARTBEAT_MS);
  });

  it("that says something now and then lives on", () => {
    const watchdog = startWatchdog();

    const lived = livedMs(watchdog, 500, 100_000, (beat) => {
      watchdog.heard();
      if (beat % 10 === 0) bring(watchdog, true);
    });

    expect(lived).toBe(null);
  });

  it("is not given up while what came of it is seen to, and is when silence follows", () => {
    const watchdog = startWatchdog();
    watchdog.heard();
    watchdog.attend();

    expect(livedMs(watchdog, 500, 100_000, () => {})).toBe(null);
    watchdog.listen(false);
    expect(livedMs(watchdog, 500, 100_000, () => {})).toBe(STALL_MS);
  });

  it("is given up when it is stopped", () => {
    const stop = new AbortController();
    const watchdog = new StallWatchdog(stop.signal, STALL_MS);
    watchdog.start();
    stop.abort();

    expect(watchdog.signal.aborted).toBe(true);
  });
});
