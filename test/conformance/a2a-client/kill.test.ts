/** @module-tag broad */
// The platform killed with kill -9 around a call of another system's agent.
import { expect, onTestFinished, test, vi } from "vitest";

import { CALL } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { statesOf, textsOf, type TaskReply } from "../../support/mcp/task-desk.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();

async function open(play: Play, options?: Parameters<typeof startSdkAgent>[1]) {
  const agent = await startSdkAgent(play, options);
  onTestFinished(() => agent.stop());
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return (await response.json()) as Body;
  }
  const made = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "a2a", name: "play", read_only: true, card: { url: agent.url } }],
  });
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: made.id });
  const path = `/v1/sessions/${session.id}`;
  const read = (id: string) => ask<TaskReply>("GET", `${path}/replies/${id}`);
  return {
    agent,
    ask: (method: string, rest: string, body?: object) => ask(method, path + rest, body),
    read,
    begin: async () => {
      const input = `${CALL}\n/say Done.`;
      return (await ask<TaskReply>("POST", `${path}/replies`, { input, background: true })).id;
    },
    reached: (id: string, status: string) =>
      waitFor(async () => {
        const reply = await read(id);
        expect(reply.status).toBe(status);
        return reply;
      }),
  };
}

const sent = (agent: { methods(): readonly string[] }): number =>
  agent.methods().filter((method) => method === "SendStreamingMessage").length;

test("a task that streamed when the machine was lost is fetched, and its message is not sent again", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, begin, read, reached } = await open(async (turn) => {
    turn.task();
    turn.artifact("a", [{ text: "Begun, " }]);
    await gate.promise;
    turn.artifact("a", [{ text: "and done." }], { append: true, lastChunk: true });
    turn.status("TASK_STATE_COMPLETED");
  });
  const id = await begin();
  await waitFor(async () => expect(textsOf(await read(id))).toEqual(["Begun, "]));
  await platform.kill();
  await platform.running();
  gate.resolve();
  const reply = await reached(id, "completed");

  expect([textsOf(reply), statesOf(reply)]).toEqual([["Begun, and done."], ["success"]]);
  expect(sent(agent)).toBe(1);
});

test("a message whose answer never came leaves its call's outcome unknown", async () => {
  const { agent, begin, reached } = await open(() => new Promise(() => undefined));
  const id = await begin();
  await waitFor(() => expect(sent(agent)).toBe(1));
  await platform.kill();
  const reply = await reached(id, "completed");

  expect(statesOf(reply)).toEqual(["error"]);
  expect(textsOf(reply)[0]).toContain("outcome is unknown");
  expect(sent(agent)).toBe(1);
});

test("a question is answered behind the kill, in the same task", async () => {
  const { agent, ask, begin, reached } = await open((turn) => {
    turn.task();
    if (turn.isAnswer) {
      turn.artifact("a", [{ text: `Order ${turn.text}.` }]);
      turn.status("TASK_STATE_COMPLETED");
    } else turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
  });
  const id = await begin();
  const waiting = await reached(id, "awaiting_external_result");
  await platform.kill();
  const call = waiting.pending[0]?.tool_call;
  const output = JSON.stringify({ action: "accept", content: { answer: "A-1" } });
  const result = { type: "tool_result", id: call?.id, name: call?.name, output, state: "success" };
  await ask("POST", "/events", {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: id,
    execution_results: [result],
  });
  const reply = await reached(id, "completed");

  expect([textsOf(reply), statesOf(reply)]).toEqual([["Order A-1."], ["success"]]);
  expect(sent(agent)).toBe(2);
});

test("an address that an agent was given before the kill makes us look behind it, and is given once", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, begin, reached } = await open(
    async (turn) => {
      turn.task();
      await gate.promise;
      turn.artifact("a", [{ text: "All of it." }]);
      turn.status("TASK_STATE_COMPLETED");
    },
    { streaming: false, pushNotifications: true },
  );
  vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const id = await begin();
  await waitFor(() => expect(agent.methods()).toContain("GetTask"));
  const create = "CreateTaskPushNotificationConfig";
  const asked = agent.requests.map(
    ({ body }) => body as { method: string; params: { url: string; token: string } },
  );
  const { url = "", token = "" } = asked.find(({ method }) => method === create)?.params ?? {};
  await platform.kill();
  const { base_url } = await platform.running();
  // The agent's own post goes to the address of before, where nobody is now.
  gate.resolve();
  const look = async () => {
    const headers = { "X-A2A-Notification-Token": token };
    const { status } = await fetch(base_url + new URL(url).pathname, { method: "POST", headers });
    expect(status).toBe(204);
  };
  await waitFor(look);
  const reply = await reached(id, "completed");

  expect([textsOf(reply), statesOf(reply)]).toEqual([["All of it."], ["success"]]);
  expect(agent.methods().filter((method) => method === create)).toHaveLength(1);
});
