import type { StopSignal } from "../agent/ports.ts";

/** Resolves when the promise is settled, or as soon as `stop` is aborted. Never rejects. */
export function untilStopped(promise: Promise<unknown>, stop: StopSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      stop.removeEventListener("abort", finish);
      resolve();
    };
    stop.addEventListener("abort", finish, { once: true });
    promise.then(finish, finish);
  });
}
