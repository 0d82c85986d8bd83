// A hook over HTTP before printing, whose session's machine dies before and after each durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import type { AskedHook } from "../../../support/hook-server.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

function scenario(): Scenario {
  const url = `${inject("effectServerUrl")}/hooks`;
  return {
    name: "printing hooks",
    from: "start",
    script: "/think let me see\n/say the secret",
    // Far longer than it takes on any machine: no answer is missing here.
    agent: { hooks: [{ name: "desk", point: "pre_print", type: "http", url, timeout_ms: 30_000 }] },
    writes: [],
  };
}

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "a text is asked about under one id however often, and is in no log as it was, whichever write %s cuts off",
  async (way) => {
    const printing = scenario();
    const opener = await openScenario(printing, way);
    const writes = await countWrites(printing, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: printing, opener });

    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThan(writes.length);
    const often: number[] = [];
    for (const run of runs) {
      await verifyRun(run, 1);
      const reader = run.session.reader();
      await reader.read("after=0");
      const log = reader.seen;
      const answered = log.flatMap((event) =>
        event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value["id"]] : [],
      );
      const asked = await questionsOf(run.session.id);
      often.push(asked.length);
      expect([...new Set(asked.map(({ id }) => id))]).toEqual(answered);
      expect([...new Set(asked.map((question) => JSON.stringify(question)))]).toHaveLength(2);
      const said = log.filter(({ type }) => type.endsWith("_DELTA"));
      expect(JSON.stringify(said)).not.toMatch(/let me see|the secret/);
      expect(JSON.stringify(said)).toContain("THE SECRET");
    }
    // Some machines died while their question was asked.
    expect(Math.max(...often)).toBeGreaterThan(2);
  },
);

async function questionsOf(sessionId: string): Promise<readonly AskedHook[]> {
  const response = await fetch(`${inject("effectServerUrl")}/hooks/${sessionId}`);
  return (await response.json()) as readonly AskedHook[];
}
