// An agent that equips itself, calls a tool of the group and puts it away, whose machine dies before and after each
// durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { ToolGroupsState } from "../../../../agent/tool-groups/tool-groups-state.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const equip = (groups: object) => `/call reset_equipped_tools ${JSON.stringify(groups)}`;
const TURN = ["MODEL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END + MODEL_CALL_END"];
const CHANGE = "TOOL_RESULT_START + tool_groups_changed + TOOL_RESULT_END";

const SCENARIO: Scenario = {
  name: "an agent equips itself",
  from: "start",
  agent: {
    tool_groups: [{ name: "desk", description: "Work.", notes: "Once.", tools: ["reserve"] }],
    meta_tool: true,
  },
  script: [
    "/call reserve {}",
    equip({ desk: true }),
    "/call reserve {}",
    equip({}),
    "/say done",
  ].join("\n/then\n"),
  writes: [
    "message_added + REPLY_START",
    // The group is not active yet.
    ...TURN,
    "TOOL_RESULT_START + TOOL_RESULT_END",
    ...TURN,
    CHANGE,
    "HINT_BLOCK",
    ...TURN,
    "TOOL_RESULT_START",
    "TOOL_RESULT_END",
    ...TURN,
    CHANGE,
    "HINT_BLOCK",
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

test("what an agent has switched and the result that says so are both there once, whichever write is cut off", async () => {
  const way = "ctx.abort";
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
    const query = "SELECT state FROM ability_states WHERE name = 'tool_groups'";
    const [kept] = await run.session.rows<{ state: string }>(query);
    const state = JSON.parse(kept?.state ?? "{}") as ToolGroupsState;
    expect(results.map((result) => "state" in result && result.state)).toEqual([
      "error",
      "success",
      "success",
      "success",
    ]);
    expect(state).toEqual({ version: 2, groups: { desk: false }, tools: {} });
  }
});
