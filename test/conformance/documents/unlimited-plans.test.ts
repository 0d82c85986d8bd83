// The document's notebook without a limit: `max_subtasks` of `int | None`, unlimited if None.
import { expect, it } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { SessionPlan } from "../../../protocol/plans/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

const planOf = (count: number) => ({
  name: "Research on Agent",
  subtasks: Array.from({ length: count }, (_, index) => ({ name: `Paper ${index + 1}` })),
});

async function openDesk(plan: object) {
  const { key } = await createTenant();
  const agent = await createAgent(key, { plan });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  return {
    key,
    agent,
    path,
    put: (count: number, at = path) =>
      request<SessionPlan>("PUT", `${at}/plan`, { key, body: { plan: planOf(count) } }),
  };
}

it("has as many subtasks as fit into a plan's bytes, for people, the model and an import", async () => {
  const desk = await openDesk({ max_subtasks: null });
  const { key, agent, path, put } = desk;
  const read = await request<Agent>("GET", `/v1/agents/${agent}`, { key });
  const given = await put(120);
  const state = await request<AgentState>("GET", `${path}/state`, { key });
  const copy = `/v1/sessions/${await createSession(key, agent)}`;
  const brought = await request("PUT", `${copy}/state`, { key, body: state.body });
  const imported = await request<SessionPlan>("GET", `${copy}/plan`, { key });
  const input = `/call create_plan ${JSON.stringify({ ...planOf(110), description: "", expected_outcome: "" })}\n/say done`;
  const body = {
    input: input.replaceAll(/("name":"Paper \d+")/g, '$1,"description":"","expected_outcome":""'),
  };
  await request("POST", `${path}/replies`, { key, body });
  const made = await request<SessionPlan>("GET", `${path}/plan`, { key });
  const tooMany = await put(200, copy);

  expect(read.body.plan?.max_subtasks).toBe(null);
  expect([given.status, given.body.plan?.subtasks.length]).toEqual([200, 120]);
  expect([brought.status, imported.body.plan?.subtasks.length]).toEqual([200, 120]);
  expect(made.body.plan?.subtasks.length).toBe(110);
  expect([tooMany.status, (tooMany.body as { detail?: string }).detail]).toEqual([
    400,
    "a plan may take 32768 bytes as JSON at most",
  ]);
});

it("keeps to 100 without the setting, and to its own number with one", async () => {
  const [left, three] = [await openDesk({}), await openDesk({ max_subtasks: 3 })];

  expect((await left.put(101)).body).toMatchObject({ code: "validation_failed" });
  expect((await left.put(100)).status).toBe(200);
  expect((await three.put(4)).body).toMatchObject({ code: "validation_failed" });
});
