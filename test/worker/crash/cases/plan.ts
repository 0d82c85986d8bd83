// A plan that is made, worked on and accepted by a person, whose machine dies before and after each durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { PlanState } from "../../../../agent/plans/plan-state.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { makeEndpoint } from "../../webhooks/endpoint.ts";
import { countWrites, crashAt, type CrashedRun } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const STEP = { name: "find", description: "d", expected_outcome: "o" };
const LAST = { ...STEP, name: "write", acceptance: { kind: "person", criteria: "It is true." } };
const HEAD = { name: "Research", description: "d", expected_outcome: "o" };
const call = (name: string, input: object) => `/call ${name} ${JSON.stringify(input)}`;
const CREATE = call("create_plan", { ...HEAD, subtasks: [STEP, LAST] });
const FINISH = [0, 1].map((subtask_idx) =>
  call("finish_subtask", { subtask_idx, subtask_outcome: "x" }),
);
const END = call("finish_plan", { state: "done", outcome: "x" });
const script = [CREATE, ...FINISH, END, "/say done"].join("\n/then\n");

const TURN = ["MODEL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END + MODEL_CALL_END"];
const CHANGE = "TOOL_RESULT_START + state_updated + TOOL_RESULT_END";
const ANSWER = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
];

const STEP_WRITES = ["HINT_BLOCK", ...TURN, CHANGE];

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a plan is made and waits for a person",
    from: "start",
    agent: { plan: {} },
    script,
    writes: [
      "message_added + REPLY_START",
      ...STEP_WRITES,
      ...STEP_WRITES,
      "HINT_BLOCK",
      ...TURN,
      "REQUIRE_USER_CONFIRM",
      "update events",
    ],
  },
  {
    name: "a person accepts the last step of a plan",
    from: "answer",
    agent: { plan: {} },
    script,
    writes: ["USER_CONFIRM_RESULT", CHANGE, ...STEP_WRITES, "HINT_BLOCK", ...ANSWER],
  },
];

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

/** The versions that the tenant was told of, in their order. */
async function versionsTold({ session }: CrashedRun): Promise<readonly number[]> {
  const { results } = await env.DB.prepare(
    `SELECT payload ->> '$.data.version' AS version FROM webhook_deliveries
     WHERE type = 'plan.updated' AND payload ->> '$.data.session_id' = ? ORDER BY version`,
  )
    .bind(session.id)
    .all<{ version: number }>();
  return results.map(({ version }) => version);
}

test.each(SCENARIOS.flatMap((scenario) => [[scenario.name, scenario] as const]))(
  "%s: a change, its result and its webhook are all there once, whichever write is cut off",
  async (_, scenario) => {
    const way = "ctx.abort";
    const opener = await openScenario(scenario, way);
    await makeEndpoint(opener.call, { events: ["plan.updated"] });
    const writes = await countWrites(scenario, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario, opener });

    expect(eventWrites(writes)).toEqual(scenario.writes.toSorted());
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(
      2 * scenario.writes.length,
    );
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      const query = "SELECT state FROM ability_states WHERE name = 'plan'";
      const [kept] = await run.session.rows<{ state: string }>(query);
      const state = JSON.parse(kept?.state ?? "{}") as PlanState;
      expect(results.map((result) => "state" in result && result.state)).toEqual(
        Array.from({ length: 4 }, () => "success"),
      );
      expect(state).toMatchObject({ version: 4, current: null, is_suspended: false, asked: {} });
      expect(state.history).toMatchObject([
        {
          state: "done",
          subtasks: [{ state: "done" }, { state: "done", acceptance: { state: "accepted" } }],
        },
      ]);
      await waitFor(async () => expect(await versionsTold(run)).toEqual([1, 2, 3, 4]));
    }
  },
);
