/** The promise's value; what it does is not cancelled. @throws as soon as the signal is aborted. */
export async function withinSignal<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | null | undefined,
): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new Error("the time of the request is over"));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    // A rejection after the time is over would be unhandled.
    promise.catch(() => undefined);
  }
}
