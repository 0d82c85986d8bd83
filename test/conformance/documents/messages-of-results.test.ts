// Messages of results, as AgentScope 1.x (role system) and AgentScope for Java (role TOOL) store them: in a state their results
// go to their calls, and as an input they are refused with what answers a call.
import { beforeAll, describe, expect, it } from "vitest";

import type { Problem } from "../../../protocol/problem.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

const AT = "2026-01-31 12:00:00.000";

let key: string;
let agent: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  agent = await createAgent(key);
});

describe("results of tools", () => {
  const call = { type: "tool_use", id: "c1", name: "look", input: { q: 1 } };
  const result = {
    type: "tool_result",
    id: "c1",
    name: "look",
    output: [{ type: "text", text: "found" }],
  };
  const java = [
    { id: "m1", role: "ASSISTANT", name: "A", content: [call], timestamp: AT },
    { id: "m2", role: "TOOL", name: "look", content: [result], timestamp: AT },
  ];
  const older = [
    { id: "m1", role: "assistant", name: "A", content: [call], timestamp: AT, metadata: null },
    { id: "m2", role: "system", name: "system", content: [result], timestamp: AT, metadata: null },
    { id: "m3", role: "assistant", name: "A", content: "Done.", timestamp: AT, metadata: {} },
  ];
  const bring = async (context: readonly object[]) => {
    const path = `/v1/sessions/${await createSession(key, agent)}/state`;
    return request<AgentState & Problem>("PUT", path, { key, body: { context } });
  };

  it.each([
    ["a TOOL message of Java", java],
    ["a system message of 1.x", older],
  ])("of %s go to their calls", async (_what, context) => {
    const { status, body } = await bring(context);

    expect([status, body.context[0]?.content]).toMatchObject([
      200,
      [
        { type: "tool_call", id: "c1", input: '{"q":1}', state: "finished" },
        { type: "tool_result", id: "c1", state: "success" },
      ],
    ]);
    expect(body.context).toHaveLength(context.length - 1);
  });

  it.each([
    ["a TOOL message of Java", java],
    ["a system message of 1.x", older],
  ])("of %s without a call are refused, and as an input", async (_what, [, results = {}]) => {
    const session = await createSession(key, agent);
    const orphan = await bring([results]);
    const input = await request<Problem>("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: results },
    });
    const observed = await request<Problem>("POST", `/v1/sessions/${session}/observe`, {
      key,
      body: { messages: [results] },
    });

    expect([orphan.status, orphan.body.errors]).toEqual([
      400,
      [{ pointer: "#/context/0/content/0", detail: "this result has no call before it" }],
    ]);
    for (const { status, body } of [input, observed]) {
      expect([status, JSON.stringify(body.errors)]).toEqual([
        400,
        expect.stringContaining("EXTERNAL_EXECUTION_RESULT"),
      ]);
    }
  });

  it("are beside messages of the system, which are refused with a text", async () => {
    const system = { id: "s", role: "system", name: "system", content: "Obey.", timestamp: AT };
    const { status, body } = await bring([system]);
    const session = await createSession(key, agent);
    const input = await request<Problem>("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: system },
    });

    expect([status, body.errors?.[0]?.pointer]).toEqual([400, "#/context/0/role"]);
    expect([input.status, input.body.errors?.[0]?.pointer]).toEqual([400, "#/input/role"]);
  });
});
