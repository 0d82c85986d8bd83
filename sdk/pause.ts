import { abortReason, throwIfAborted } from "./abort-reason.ts";

/** Waits, and rejects with the signal's reason as soon as it is aborted. */
export async function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      if (signal) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, durationMs);
    signal?.addEventListener("abort", stop);
  });
}
