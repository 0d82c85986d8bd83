// Machines that die, or whose requests hang, at the durable writes of a scenario, and what must hold of each run then.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect } from "vitest";

import { walk } from "../../support/breadth.ts";
import { countWrites, crashAt, hangAtPoints, type CrashedRun } from "./crash-run.ts";
import { openScenario, type Opener } from "./crash-session.ts";
import { installFailpoints, stopDeltaClock, type WritePoint } from "./failpoint.ts";
import { sendsRequests, WAYS, type Scenario, type Way } from "./scenarios.ts";
import { verifyRun } from "./verify-run.ts";

/** A scenario, and what holds of each of its runs besides what holds of every reply. */
export interface CrashCase {
  readonly scenario: Scenario;
  /** Title of its test; `%s` is the way. */
  readonly claim: string;
  /** With the tenant's key, before a session is opened. */
  readonly prepare?: (opener: Opener) => Promise<void>;
  readonly verify?: (run: CrashedRun) => Promise<void> | void;
  /** Of all runs of a walk over every write. */
  readonly verifyAll?: (runs: readonly CrashedRun[]) => void;
}

/** Points of a walk: `every` write, those of {@link walk}, or a handful. */
export type Extent = "every" | "walk" | "some";

const HANDFUL = 4;

export function pointsOf(writes: number): readonly WritePoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, side: "before" as const },
    { write, side: "after" as const },
  ]);
}

function takePoints(writes: number, extent: Extent): readonly WritePoint[] {
  const points = pointsOf(writes);
  if (extent === "every") return points;
  if (extent === "walk") return walk(points);
  // Odd, so that it has points before and after writes.
  const stride = Math.floor(points.length / HANDFUL) | 1;
  return points.filter((_, index) => index % stride === 1);
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
export function installCrashes(): void {
  const restore: (() => void)[] = [];
  beforeAll(async () => {
    const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
    restore.push(takeOut, hangAtPoints(), stopDeltaClock());
  });
  afterAll(() => restore.forEach((undo) => undo()));
}

/** The cases whose machine dies in this way. */
export function mortalBy(way: Way, cases: readonly CrashCase[]): readonly CrashCase[] {
  return cases.filter(({ scenario: { ways = WAYS } }) => ways.includes(way));
}

export function titleOf({ claim }: CrashCase, way: Way): string {
  return claim.replace("%s", way);
}

/** In a test of a file that has called {@link installCrashes}. */
export async function checkDeaths(tested: CrashCase, way: Way, extent: Extent): Promise<void> {
  const { scenario, prepare, verify, verifyAll } = tested;
  const opener = await openScenario(scenario, way);
  await prepare?.(opener);
  const writes = await countWrites(scenario, opener);
  const points = takePoints(writes.length, extent);
  const runs = await crashAt(points, { way, scenario, opener });

  expect(eventWrites(writes)).toEqual(eventWrites(scenario.writes));
  const isHanging = way === "hung fetch" && sendsRequests(scenario);
  expect(runs.some(({ isHung }) => isHung)).toBe(isHanging);
  const reached = runs.filter(({ isReached }) => isReached);
  const mayBeMissed = 2 * (writes.length - eventWrites(writes).length);
  expect(reached.length).toBeGreaterThanOrEqual(points.length - mayBeMissed);
  const failures = await Promise.all(
    runs.map(({ point, ...run }) =>
      verifyRun(run, deathsOf(scenario))
        .then(() => verify?.(run))
        .then(
          () => [],
          (error: unknown) => [`${point.side} write ${point.write}: ${String(error)}`],
        ),
    ),
  );
  expect(failures.flat()).toEqual([]);
  if (extent !== "some") verifyAll?.(runs);
}
