// A reply that reads a skill, whose machine dies before and after each durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Agent } from "../../../../protocol/agents/contract.ts";
import type { Page } from "../../../../protocol/schemas/common.ts";
import type { Skill } from "../../../../protocol/skills/contract.ts";
import { hearLog, JOB_FAILED } from "../../../support/hear-log.ts";
import { ask } from "../../support/api.ts";
import { skillFolder } from "../../support/skill-folder.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const SCENARIO: Scenario = {
  name: "a skill is read",
  from: "start",
  script: `/call read_skill {"skill":"pdf-forms"}\n/say done`,
  writes: [
    // The settings with the versions, and those from before for a reply that may be open.
    "update session",
    "update session",
    "message_added + REPLY_START",
    "MODEL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_END + MODEL_CALL_END",
    "TOOL_RESULT_START",
    "TOOL_RESULT_END",
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
  "it is read once to the end, in one version, whichever write %s cuts off",
  async (way) => {
    const log = hearLog([JOB_FAILED]);
    const opener = await openScenario(SCENARIO, way);
    const { call } = opener;
    const json = skillFolder("pdf-forms", { body: "Fill it in." });
    const { json: skill } = await ask<Skill>("POST", "/v1/skills", { ...call, json });
    const { json: agents } = await ask<Page<Agent>>("GET", "/v1/agents", call);
    const changed = { json: { skills: [skill.id] } };
    await ask("PATCH", `/v1/agents/${agents.data[0]?.id}`, { ...call, ...changed });
    const writes = await countWrites(SCENARIO, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: SCENARIO, opener });

    expect(eventWrites(writes)).toEqual(SCENARIO.writes.toSorted());
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(
      2 * SCENARIO.writes.length,
    );
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      const results = message?.content.filter((block) => block.type === "tool_result") ?? [];
      expect(results.map(({ state }) => state)).toEqual(["success"]);
      expect(JSON.stringify(results[0]?.output)).toContain("Fill it in.");
    }
    expect(new Set(log)).toEqual(new Set(["the versions of skills could not be stored"]));
  },
);
