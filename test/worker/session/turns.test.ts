import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";

import { takeTurn } from "../../../tools/take-turn.ts";
import { createdSession, objectOf } from "./session.ts";

it("of turns that are asked for at once each is over before the next one begins", async () => {
  const seen: string[] = [];
  async function turn(name: string): Promise<void> {
    await takeTurn();
    seen.push(`${name} begins`);
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    seen.push(`${name} ends`);
  }
  const inits = [await createdSession(), await createdSession()];
  await Promise.all(
    inits.flatMap((init, object) =>
      ["one", "two", "three"].map((name) =>
        runInDurableObject(objectOf(init), () => turn(`${name} of ${object}`)),
      ),
    ),
  );

  const begun = seen.filter((_, index) => index % 2 === 0);
  expect(begun).toHaveLength(6);
  expect(seen).toEqual(begun.flatMap((begins) => [begins, begins.replace("begins", "ends")]));
});

it("between two turns of one caller timers that are due have their time", async () => {
  const init = await createdSession();
  const order = await runInDurableObject(objectOf(init), async () => {
    const seen: string[] = [];
    await takeTurn();
    seen.push("first turn");
    setTimeout(() => seen.push("timer"), 0);
    await takeTurn();
    seen.push("second turn");
    return seen;
  });

  expect(order).toEqual(["first turn", "timer", "second turn"]);
});
