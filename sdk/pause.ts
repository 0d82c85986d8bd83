/**
 * Waits, and rejects with the signal's reason as soon as it is aborted.
 */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, durationMs);
    signal?.addEventListener("abort", stop, { once: true });

    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
