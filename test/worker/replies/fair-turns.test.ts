// Turns of many replies of one tenant in one isolate, beside another tenant's.
import { expect, onTestFinished, test } from "vitest";

import { fairTurns } from "../../../runtime/fair-turns.ts";
import { BROAD } from "../../support/breadth.ts";

const LOOPS = 30;

/** Turns that begin one after the other, without anything that is waited for in between. */
async function loop(tenant: string, turns: number, taken: string[], stop: AbortSignal) {
  const turn = fairTurns(tenant, stop);
  for (let count = 0; count < turns && !stop.aborted; count += 1) {
    await turn();
    taken.push(tenant);
  }
}

test("thirty replies that loop leave another tenant's reply a turn between few of theirs", async () => {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const taken: string[] = [];
  const loops = Array.from({ length: LOOPS }, () => loop("one", 1_000, taken, ending.signal));

  await loop("other", 30, taken, ending.signal);
  ending.abort();
  await Promise.all(loops);

  const firstTurns = taken.indexOf("other");
  const between = taken
    .slice(firstTurns)
    .join(" ")
    .split("other")
    .map((part) => part.split("one").length - 1);
  expect(Math.max(...between.slice(1, -1))).toBeLessThan(LOOPS / 3);
});

test(
  "each of thirty replies that loop gets its turns, and a stop ends the waiting",
  BROAD,
  async () => {
    const ending = new AbortController();
    const taken: string[] = [];
    const done: number[] = [];
    const loops = Array.from({ length: LOOPS }, async (_, index) => {
      await loop("fair", 5, taken, ending.signal);
      done.push(index);
    });
    await Promise.all(loops);
    const endless = Array.from({ length: 3 }, () => loop("fair", Infinity, taken, ending.signal));
    ending.abort();
    await Promise.all(endless);

    expect(done).toHaveLength(LOOPS);
    expect(taken.length).toBeGreaterThanOrEqual(LOOPS * 5);
  },
);
