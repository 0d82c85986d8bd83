// The table of durable writes, and a machine that dies by an exception of the platform before and after each of them.
import { describe, expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { countWrites, crashAt } from "./crash-run.ts";
import { openScenario } from "./crash-session.ts";
import { SCENARIOS } from "./scenarios.ts";
import { describeDeaths, eventWrites } from "./survive.ts";
import { verifyRun } from "./verify-run.ts";

describeDeaths("ctx.abort");

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
