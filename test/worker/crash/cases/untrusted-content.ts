// A sink after an untrusted result, whose machine dies before and after each durable write of its reply.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

function scenario(): Scenario {
  const url = inject("effectServerUrl");
  return {
    name: "a sink after an untrusted result",
    from: "start",
    script: "/call lookup {}\n/then\n/call charge {}\n/say done",
    agent: {
      permission: { rules: [{ tool_name: "charge", behavior: "allow" }] },
      tools: [
        {
          type: "http",
          name: "lookup",
          url: `${url}/lookup`,
          read_only: true,
          returns_untrusted: true,
        },
        { type: "http", name: "charge", url: `${url}/charge`, sink: true },
      ],
    },
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "TOOL_CALL_START",
      "TOOL_CALL_END + MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      "MODEL_CALL_START",
      "TOOL_CALL_START",
      "TOOL_CALL_END + MODEL_CALL_END",
      "REQUIRE_USER_CONFIRM",
      "update events",
    ],
  };
}

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "it is asked about with the source, and never runs before, whichever write %s cuts off",
  async (way) => {
    const asking = scenario();
    const opener = await openScenario(asking, way);
    const writes = await countWrites(asking, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: asking, opener });

    expect(eventWrites(writes)).toEqual(asking.writes.toSorted());
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(
      2 * asking.writes.length,
    );
    for (const run of runs) {
      await verifyRun(run, 1);
      const { seen } = run.session;
      const looked = seen.find(
        (event) => event.type === "TOOL_RESULT_START" && event.tool_call_name === "lookup",
      );
      const asked = seen.filter(({ type }) => type === "REQUIRE_USER_CONFIRM");
      const order = seen.flatMap((event) =>
        event.type === "REQUIRE_USER_CONFIRM" ||
        (event.type === "TOOL_RESULT_START" && event.tool_call_name === "charge")
          ? [event.type]
          : [],
      );
      const source = looked?.metadata["untrusted"];
      expect(source).toMatchObject({ tool_name: "lookup" });
      expect(Object.values(asked[0]?.metadata["untrusted"] ?? {})).toEqual([[source]]);
      expect(order).toEqual(["REQUIRE_USER_CONFIRM", "TOOL_RESULT_START"]);
    }
  },
);
