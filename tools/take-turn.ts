// Work on a large value takes its turn: the isolate looks at the network between two such pieces, whoever they are for.

/** Turns that this isolate has given. */
let turns = 0;

/**
 * Resolves when the network has been looked at since the last turn of anybody, the caller's own included. What follows
 * without a pause is its turn. Nobody is waited for, so a request that ends in the middle of its turn stops nobody.
 */
export async function takeTurn(): Promise<void> {
  for (let seen = -1; seen !== turns;) {
    seen = turns;
    // oxlint-disable-next-line no-await-in-loop
    await scheduler.wait(1);
  }
  turns += 1;
}
