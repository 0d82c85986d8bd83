// An abortable sleep.
import type { StopSignal } from "../agent/ports.ts";

/** Resolves after `waitMs` milliseconds, or at once when `stop` is aborted. Never rejects. */
export function pause(waitMs: number, stop: StopSignal): Promise<void> {
  if (stop.aborted || waitMs <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, waitMs);
    stop.addEventListener("abort", finish, { once: true });

    function finish(): void {
      clearTimeout(timer);
      stop.removeEventListener("abort", finish);
      resolve();
    }
  });
}
