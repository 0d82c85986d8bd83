import { describe, expect, test } from "vitest";

import { ROUTES } from "../../protocol/routes.ts";
import { sampled } from "../support/breadth.ts";
import { callerOf, CASES, request, type Case } from "./request.ts";
import { ROWS } from "./rows.ts";
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

  for (const [rows, breadth] of sampled(CASES, 20))
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
