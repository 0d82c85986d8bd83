// Cooperative scheduling: work on large values is cut into slices, between which the isolate handles I/O of all
// requests.

/** Slices granted by this isolate so far. */
let slices = 0;

/**
 * Resolves when the event loop has handled I/O since the last slice of any caller in this isolate. The code up to the
 * caller's next `await` is its slice. There is no queue, so a request that ends within its slice blocks no other.
 */
export async function timeSlice(): Promise<void> {
  for (let seen = -1; seen !== slices;) {
    seen = slices;
    // One millisecond rather than zero, so that short requests complete between two slices.
    await scheduler.wait(1);
  }
  slices += 1;
}
