// Work on a large value is cut into time slices: the isolate looks at the network between two of them, whoever they are
// for.

/** Slices that this isolate has given. */
let slices = 0;

/**
 * Resolves when the network has been looked at since the last slice of anybody, the caller's own included. What follows
 * without a pause is the caller's slice. Nobody is waited for, so a request that ends in its slice stops nobody.
 */
export async function timeSlice(): Promise<void> {
  for (let seen = -1; seen !== slices;) {
    seen = slices;
    // A millisecond, and not none: short requests then come to their end between two slices.
    // oxlint-disable-next-line no-await-in-loop
    await scheduler.wait(1);
  }
  slices += 1;
}
