import { describe, expect, test } from "vitest";

import { ROUTES } from "../../protocol/api/routes/routes.ts";
import { callerOf, CASES, request } from "./request.ts";
import { ROWS } from "./rows.ts";
import { makeWorld } from "./world.ts";

describe("whoever may", () => {
  test("has a row of this suite for each route", () => {
    expect(Object.keys(ROWS).sort()).toEqual(ROUTES.map(({ name }) => name).sort());
  });

  test.each(CASES)("%s answers its owner", async (_, tested) => {
    const world = await makeWorld();

    const answer = await request(tested, world, callerOf(tested, world));

    const isShown = answer.text.includes(world.word);
    expect([answer.status, isShown || tested.row.isSilent === true]).toEqual([
      tested.row.answers,
      true,
    ]);
  });
});
