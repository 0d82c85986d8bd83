// A machine that dies before and after each durable write of a reply, in each of the ways that machines die.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { countWrites, crashAt, hangAtPoints } from "./crash-run.ts";
import { openScenario } from "./crash-session.ts";
import { installFailpoints, stopDeltaClock, type WritePoint } from "./failpoint.ts";
import { SCENARIOS, sendsRequests, WAYS, type Scenario } from "./scenarios.ts";
import { verifyRun } from "./verify-run.ts";

const restore: (() => void)[] = [];

beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, hangAtPoints(), stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

function pointsOf(writes: number): readonly WritePoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, side: "before" as const },
    { write, side: "after" as const },
  ]);
}

/** In any order: parallel calls end as they like. How often D1 is told is its own business. */
function eventWrites(writes: readonly string[]): readonly string[] {
  return writes.filter((write) => !write.startsWith("delete ")).toSorted();
}

/** The machine of a recovery is the second one. */
function deathsOf({ from }: Scenario): number {
  return from === "recovery" ? 2 : 1;
}

describe.each(SCENARIOS)("$name", (scenario) => {
  test("makes the durable writes that the table names", async () => {
    const writes = await countWrites(scenario, await openScenario(scenario, null));

    expect(eventWrites(writes)).toEqual(eventWrites(scenario.writes));
    expect(new Set(writes)).toEqual(new Set(scenario.writes));
  });

  test.each(WAYS)("survives %s at each of them", async (way) => {
    const opener = await openScenario(scenario, way);
    const { length } = await countWrites(scenario, opener);
    const runs = await crashAt(pointsOf(length), { way, scenario, opener });

    const isHanging = way === "hung fetch" && sendsRequests(scenario);
    expect(runs.some(({ isHung }) => isHung)).toBe(isHanging);
    const reached = runs.filter(({ isReached }) => isReached);
    expect(reached.length).toBeGreaterThanOrEqual(2 * eventWrites(scenario.writes).length);
    const failures = await Promise.all(
      runs.map(({ point, ...run }) =>
        verifyRun(run, deathsOf(scenario)).then(
          () => [],
          (error: unknown) => [`${point.side} write ${point.write}: ${String(error)}`],
        ),
      ),
    );
    expect(failures.flat()).toEqual([]);
  });
});

test("a reader whose cursor stands in the tail that a crash lost reads on from there", async () => {
  const [scenario] = SCENARIOS;
  if (!scenario) throw new Error("there is no scenario");
  const point = { write: "TEXT_BLOCK_END + MODEL_CALL_END", side: "before" } as const;
  const opener = await openScenario(scenario, "ctx.abort");
  const hasSeen = (seen: readonly LoggedEvent[]) =>
    seen.some(({ type }) => type === "TEXT_BLOCK_DELTA");
  const [run] = await crashAt([point], { way: "ctx.abort", scenario, opener, hasSeen });
  if (!run) throw new Error("nothing ran");

  expect(await verifyRun(run, 1)).toBeGreaterThan(0);
});
