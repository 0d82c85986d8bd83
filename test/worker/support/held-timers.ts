// Timers that go off when the test lets them and not by the clock: nobody waits for ten seconds, or has to be quick.
import { onTestFinished } from "vitest";

export interface HeldTimers {
  /** Number of timers that wait. */
  readonly waiting: number;
  /** Lets those that wait now go off once, each in the object that set it. */
  fire(): void;
  /** Lets them go off at once from here on. */
  release(): void;
}

const LOOK_MS = 2;
export const GATE_MS = 86_400_000;

/** A line of a script: the reply waits here until the test lets it go on, however slow either of them is. */
export const GATE = `/wait ${GATE_MS}`;

/** The {@link GATE}s of the test's replies. */
export function holdGates(): HeldTimers {
  return holdTimers((delayMs) => delayMs === GATE_MS);
}

/** Until the end of the test, of all timers with such a delay, in the Worker and in its objects. */
export function holdTimers(isHeld: (delayMs: number) => boolean): HeldTimers {
  const { setTimeout: start, setInterval: repeat, clearTimeout: stop } = globalThis;
  const held = new Set<ReturnType<typeof setInterval>>();
  let fired = 0;
  let isReleased = false;

  function hold(run: () => void, isRepeated: boolean): ReturnType<typeof setInterval> {
    let seen = fired;
    const look = (): void => {
      if (seen === fired && !isReleased) return;
      seen = fired;
      if (!isRepeated) release(timer);
      run();
    };
    const timer = repeat(look, LOOK_MS);
    held.add(timer);
    return timer;
  }

  function release(timer: Parameters<typeof clearTimeout>[0]): void {
    held.delete(timer as ReturnType<typeof setInterval>);
    stop(timer);
  }

  Object.assign(globalThis, {
    setTimeout: (run: () => void, delayMs = 0) =>
      isHeld(delayMs) ? hold(run, false) : start(run, delayMs),
    setInterval: (run: () => void, delayMs = 0) =>
      isHeld(delayMs) ? hold(run, true) : repeat(run, delayMs),
    clearTimeout: release,
    clearInterval: release,
  });
  onTestFinished(() => {
    Object.assign(globalThis, {
      setTimeout: start,
      setInterval: repeat,
      clearTimeout: stop,
      clearInterval: stop,
    });
  });
  return {
    get waiting() {
      return held.size;
    },
    fire: () => {
      fired += 1;
    },
    release: () => {
      isReleased = true;
    },
  };
}
