// An ability of a deployment, whose machine dies before and after each durable write of its reply.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { deployNotes } from "../../support/notes-ability.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const SCENARIO: Scenario = {
  name: "an ability of a deployment",
  from: "start",
  script: `/call note {"text":"lamp"}\n/say done`,
  writes: [
    "message_added + REPLY_START",
    "MODEL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_END + MODEL_CALL_END",
    "TOOL_RESULT_START + noted + TOOL_RESULT_END",
    "HINT_BLOCK",
    "MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
  ],
};

deployNotes();
const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "its state and its result are both there or neither, whichever write %s cuts off",
  async (way) => {
    const opener = await openScenario(SCENARIO, way);
    const writes = await countWrites(SCENARIO, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: SCENARIO, opener });

    expect(eventWrites(writes)).toEqual(SCENARIO.writes.toSorted());
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(
      2 * SCENARIO.writes.length,
    );
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      const query = "SELECT state FROM ability_states WHERE name = 'notes'";
      const kept = await run.session.rows<{ state: string }>(query);
      expect(results).toHaveLength(1);
      expect(kept).toEqual([{ state: '["lamp"]' }]);
    }
  },
);
