import { abortReason, throwIfAborted } from "./abort-reason.ts";

/** The promise's own outcome, or the signal's reason as soon as it is aborted. */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  throwIfAborted(signal);
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortReason(signal));
    signal.addEventListener("abort", stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
