// The durable writes of every scenario, and a machine that dies before and after some of them; the other files walk all.
import { describe, expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { sampled } from "../../support/breadth.ts";
import { FEATURE_CASES, MATRIX_CASES } from "./crash-cases.ts";
import { countWrites, crashAt } from "./crash-run.ts";
import { openScenario } from "./crash-session.ts";
import { SCENARIOS } from "./scenarios.ts";
import { checkDeaths, eventWrites, installCrashes, mortalBy, titleOf } from "./survive.ts";
import { verifyRun } from "./verify-run.ts";

const WAY = "ctx.abort";

installCrashes();

/** A part: what differs between the others is decided by pure code, whose losses test/unit/agent/ walks. */
const SOME = [MATRIX_CASES, FEATURE_CASES].flatMap((cases) => sampled(cases)[0]?.[0] ?? []);

describe.each(mortalBy(WAY, SOME))("$scenario.name", (tested) => {
  test(`${titleOf(tested, WAY)} (at some of its writes)`, () => checkDeaths(tested, WAY, "some"));
});

describe.each(SCENARIOS)("$name", (scenario) => {
  test("makes the durable writes that the table names", async () => {
    const writes = await countWrites(scenario, await openScenario(scenario, null));

    expect(eventWrites(writes)).toEqual(eventWrites(scenario.writes));
    expect(new Set(writes)).toEqual(new Set(scenario.writes));
  });
});

test("a reader whose cursor stands in the tail that a crash lost reads on from there", async () => {
  const [scenario] = SCENARIOS;
  if (!scenario) throw new Error("there is no scenario");
  const point = { write: "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END", side: "before" } as const;
  const opener = await openScenario(scenario, "ctx.abort");
  const hasSeen = (seen: readonly LoggedEvent[]) =>
    seen.some(({ type }) => type === "TEXT_BLOCK_DELTA");
  const [run] = await crashAt([point], { way: "ctx.abort", scenario, opener, hasSeen });
  if (!run) throw new Error("nothing ran");

  expect(await verifyRun(run, 1)).toBeGreaterThan(0);
});
