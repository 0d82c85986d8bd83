// One way in which machines die, at the durable writes of each scenario (in `npm test` at each third point, see `walk`):
// the matrix has a file for each of them.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { walk } from "../../support/breadth.ts";
import { countWrites, crashAt, hangAtPoints } from "./crash-run.ts";
import { openScenario } from "./crash-session.ts";
import { installFailpoints, stopDeltaClock, type WritePoint } from "./failpoint.ts";
import { SCENARIOS, sendsRequests, type Scenario, type Way } from "./scenarios.ts";
import { verifyRun } from "./verify-run.ts";

export function pointsOf(writes: number): readonly WritePoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, side: "before" as const },
    { write, side: "after" as const },
  ]);
}

/** In any order: parallel calls end as they like. How often D1 is told is its own business. */
export function eventWrites(writes: readonly string[]): readonly string[] {
  return writes.filter((write) => !write.startsWith("delete ")).toSorted();
}

/** The machine of a recovery is the second one. */
function deathsOf({ from }: Scenario): number {
  return from === "recovery" ? 2 : 1;
}

/** For the whole of a test file. */
function installCrashes(): void {
  const restore: (() => void)[] = [];
  beforeAll(async () => {
    const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
    restore.push(takeOut, hangAtPoints(), stopDeltaClock());
  });
  afterAll(() => restore.forEach((undo) => undo()));
}

export function describeDeaths(way: Way): void {
  installCrashes();
  describe.each(SCENARIOS)("$name", (scenario) => {
    test(`survives ${way} at its writes`, async () => {
      const opener = await openScenario(scenario, way);
      const { length } = await countWrites(scenario, opener);
      // Runs with a hanging request are not sampled: that one hung is part of the claim.
      const points = way === "hung fetch" ? pointsOf(length) : walk(pointsOf(length));
      const runs = await crashAt(points, { way, scenario, opener });

      const isHanging = way === "hung fetch" && sendsRequests(scenario);
      expect(runs.some(({ isHung }) => isHung)).toBe(isHanging);
      const reached = runs.filter(({ isReached }) => isReached);
      const mayBeMissed = 2 * (length - eventWrites(scenario.writes).length);
      expect(reached.length).toBeGreaterThanOrEqual(points.length - mayBeMissed);
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
}
