import { describe, expect, test } from "vitest";

import { ROUTES } from "../../protocol/routes.ts";
import { sampled } from "../support/breadth.ts";
import { gatherRows, ROWS } from "./concepts.ts";
import { callerOf, CASES, request, type Case } from "./request.ts";
import { makeWorld, type World } from "./world.ts";

/** A tenant for all that is only read, since one takes half a second; who writes has one of their own. */
let read: Promise<World> | undefined;

function worldOf({ route }: Case): Promise<World> {
  return route.method === "GET" ? (read ??= makeWorld()) : makeWorld();
}

describe("whoever may", () => {
  test("has a row of this suite for each route", () => {
    expect(Object.keys(ROWS).sort()).toEqual(ROUTES.map(({ name }) => name).sort());
  });

  test("is not asked about a route without a row, which is named with the file to add", () => {
    const { deleteTenant: _, ...others } = ROWS;

    expect(() => gatherRows([["./concepts/all.ts", { ROWS: others }]])).toThrow(
      "test/tenancy/concepts/<concept>.ts has to say how deleteTenant may be called",
    );
  });

  test("is not asked by two rows of a route", () => {
    const twice = { ROWS: { readPlan: ROWS.readPlan } };

    expect(() =>
      gatherRows([
        ["./concepts/all.ts", { ROWS }],
        ["./concepts/b.ts", twice],
      ]),
    ).toThrow("test/tenancy/concepts/ has two rows of readPlan");
  });

  for (const [rows, breadth] of sampled(CASES, 12, "each"))
    test.each(rows)("%s answers its owner", breadth, async (_, tested) => {
      const world = await worldOf(tested);

      const answer = await request(tested, world, callerOf(tested, world));

      const isShown = answer.text.includes(world.word);
      expect([answer.status, isShown || tested.row.isSilent === true]).toEqual([
        tested.row.answers,
        true,
      ]);
    });
});
