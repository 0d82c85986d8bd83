import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import { timeSlice } from "../../../runtime/time-slice.ts";
import { createdSession, objectOf } from "./session.ts";

it("of slices that are asked for at once each is over before the next one begins", async () => {
  const seen: string[] = [];
  async function slice(name: string): Promise<void> {
    await timeSlice();
    seen.push(`${name} begins`);
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    seen.push(`${name} ends`);
  }
  const inits = [await createdSession(), await createdSession()];
  await Promise.all(
    inits.flatMap((init, object) =>
      ["one", "two", "three"].map((name) =>
        runInDurableObject(objectOf(init), () => slice(`${name} of ${object}`)),
      ),
    ),
  );

  const begun = seen.filter((_, index) => index % 2 === 0);
  expect(begun).toHaveLength(6);
  expect(seen).toEqual(begun.flatMap((begins) => [begins, begins.replace("begins", "ends")]));
});

it("between two slices of one caller timers that are due have their time", async () => {
  const init = await createdSession();
  const order = await runInDurableObject(objectOf(init), async () => {
    const seen: string[] = [];
    await timeSlice();
    seen.push("first slice");
    setTimeout(() => seen.push("timer"), 0);
    await timeSlice();
    seen.push("second slice");
    return seen;
  });

  expect(order).toEqual(["first slice", "timer", "second slice"]);
});
