import { describe, expect, it } from "vitest";

import { inTurns } from "../../../runtime/in-turns.ts";

describe("work in turns", () => {
  it("is done on as many items at once as may be, and its results are in their order", async () => {
    let running = 0;
    let most = 0;
    const values = await inTurns([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    });

    expect([values, most]).toEqual([[50, 10, 40, 20, 30], 2]);
  });

  it("that fails begins with no further item", async () => {
    const begun: number[] = [];
    const work = inTurns([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("no");
    });

    await expect(work).rejects.toThrow("no");
    expect(begun).not.toContain(4);
  });

  it("on nothing is done", async () => {
    expect(await inTurns([], 4, async (item) => item)).toEqual([]);
  });
});
