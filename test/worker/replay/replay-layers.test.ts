// Functions of the deployment around a reply: a replay and a simulation call none of them.
import { expect, test } from "vitest";

import type { Replay } from "../../../protocol/replay/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "../support/api.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";

const called: string[] = [];
const note = (point: string): void => void called.push(point);

deployHook({
  name: "layers",
  pre_reply: () => note("pre_reply"),
  pre_acting: () => note("pre_acting"),
  pre_print: () => note("pre_print"),
  on_reply: (_, next) => (note("on_reply"), next()),
  on_reasoning: (_, next) => (note("on_reasoning"), next()),
  on_model_call: (request, next) => (note("on_model_call"), next(request)),
  on_acting: (_, next) => (note("on_acting"), next()),
  on_check_permission: (_, next) => (note("on_check_permission"), next()),
  on_system_prompt: (prompt) => (note("on_system_prompt"), prompt),
  plan_to_hint: (_, next) => (note("plan_to_hint"), next()),
});

const POINTS = [
  "pre_reply",
  "pre_acting",
  "pre_print",
  "on_reply",
  "on_reasoning",
  "on_model_call",
  "on_acting",
  "on_check_permission",
  "on_system_prompt",
  "plan_to_hint",
];

test("a replay and a simulation call no function of the deployment", async () => {
  const { call, session } = await openSession({
    name: "Layered",
    plan: {},
    hooks: POINTS.map((point) => ({ name: "layers", type: "code", point })),
    tools: [{ type: "http", name: "look", url: FAILING_TOOL_URL, read_only: true }],
  });
  const input = "/call look {}\n/say done";
  const { id: session_id, agent_id } = session;
  const path = `/v1/sessions/${session_id}/replies`;
  const reply = await ask<Reply>("POST", path, { ...call, json: { input } });
  expect(reply.json.status).toBe("completed");
  expect(new Set(called)).toEqual(new Set(POINTS));
  called.length = 0;

  const replays = `/v1/agents/${agent_id}/replays`;
  const replayed = await ask<Replay>("POST", replays, { ...call, json: { session_id } });
  const rules = [{ tool_name: "look", behavior: "deny" }];
  const simulate = `/v1/agents/${agent_id}/permission-rules/simulate`;
  const json = { permission: { mode: "default", rules } };
  const simulated = await ask<{ data: unknown[] }>("POST", simulate, { ...call, json });

  expect(replayed.json).toMatchObject({ stopped: null, summary: { calls: { same: 1 } } });
  expect(simulated.json.data).toHaveLength(1);
  expect(called).toEqual([]);
});
