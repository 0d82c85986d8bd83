// A denial with its reason, whose machine dies before and after each durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Decision } from "../../../../protocol/permission/contract.ts";
import { decisionsOf } from "../../../../durable-objects/tables/decisions-of.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const REASON = "The parcel never left.";
const SCENARIO: Scenario = {
  name: "a denial with its reason",
  from: "answer",
  asks: true,
  denialReason: REASON,
  script: "/call charge {}\n/say done",
  writes: [
    "USER_CONFIRM_RESULT + TOOL_RESULT_START + TOOL_RESULT_END",
    "MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
  ],
};

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "the answer, the result that tells the reason and the record of it are one, whichever write %s cuts off",
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
      const given = run.session.seen
        .flatMap((event): readonly Decision[] => decisionsOf(event))
        .filter(({ behavior }) => behavior === "deny");
      const rows = await run.session.rows("SELECT seq FROM decisions ORDER BY seq");
      expect(results).toMatchObject([
        {
          state: "denied",
          metadata: { denial_reason: REASON },
          output: [{ text: expect.stringContaining(`Their reason: ${REASON}`) }],
        },
      ]);
      expect(given).toMatchObject([{ reason: REASON }]);
      expect(rows).toHaveLength(2);
    }
  },
);
