// A desk whose model is a server of the test: it plays what it was given for the session, then for the replay. Its tools
// are a server that counts how often it is asked.
import { expect, inject, onTestFinished } from "vitest";

import type { Replay } from "../../protocol/replay/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { startFakeOpenAi, type FakeCall, type FakeTurn } from "./fake-openai.ts";
import { startLoopbackServer } from "./loopback-server.ts";
import { createAgent, createTenant, request } from "./platform-client.ts";
import { waitFor } from "./wait-for.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" } },
  required: ["order_id"],
};

/** One model call that makes these calls. */
export function calls(...all: readonly (readonly [name: string, input: object])[]): FakeTurn {
  return (stream) => {
    stream.delta({ role: "assistant", content: null });
    const made = all.map(([name, input], index): FakeCall => ({
      index,
      id: `call_${Math.random().toString(36).slice(2)}`,
      name,
      arguments: JSON.stringify(input),
    }));
    stream.calls(...made);
    stream.finish("tool_calls");
    stream.usage(20, 5);
    stream.done();
  };
}

export async function openDesk(turns: readonly FakeTurn[], overrides: object = {}) {
  const model = await startFakeOpenAi(...turns);
  const asked: string[] = [];
  const tools = await startLoopbackServer(({ path }, response) => {
    asked.push(path);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ path, number: asked.length }));
  });
  onTestFinished(async () => {
    await model.stop();
    await tools.stop();
  });
  const { key, id: tenant } = await createTenant();
  const tool = (name: string, more: object = {}) => ({
    type: "http",
    name,
    input_schema: ORDER,
    url: `${tools.url}/${name}`,
    ...more,
  });
  const definition = {
    name: "Desk",
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
    tools: [tool("look_up", { read_only: true, concurrency_safe: true }), tool("refund")],
    ...overrides,
  };
  const agent = await createAgent(key, definition);
  const session = await openSession(key, agent);
  return { key, tenant, agent, session, model, asked, definition, tool };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

export async function openSession(key: string, agent_id: string, more: object = {}) {
  const body = { agent_id, ...more };
  return (await request<{ id: string }>("POST", "/v1/sessions", { key, body })).body.id;
}

type At = Pick<Desk, "key" | "session">;

export async function say({ key, session }: At, input: unknown, more: object = {}): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  const { status, body } = await request<Reply>("POST", path, { key, body: { input, ...more } });
  expect(status).toBe(200);
  return body;
}

/** Answers every call of the reply that asks, and waits for its end. */
export async function confirm(desk: At, reply: Reply, confirmed: boolean, more: object = {}) {
  const { key, session } = desk;
  const path = `/v1/sessions/${session}`;
  const confirm_results = reply.pending
    .filter(({ kind }) => kind === "permission")
    .map(({ tool_call }) => ({ confirmed, tool_call: { ...tool_call, ...more } }));
  const body = { type: "USER_CONFIRM_RESULT", reply_id: reply.id, confirm_results };
  const posted = await request("POST", `${path}/events`, { key, body });
  expect(posted.status).toBe(202);
  return ended(desk, reply.id);
}

/** The reply, once it does not run any more. */
export async function ended({ key, session }: At, id: string): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies/${id}`;
  return waitFor(async () => {
    const { body } = await request<Reply>("GET", path, { key });
    expect(body.status).not.toBe("running");
    return body;
  });
}

export async function replay(
  { key, agent, session }: Pick<Desk, "key" | "agent" | "session">,
  body: object = {},
) {
  const path = `/v1/agents/${agent}/replays`;
  return request<Replay>("POST", path, { key, body: { session_id: session, ...body } });
}

/** Its answer is read by the test, or left. */
export function openReplay(
  { key, agent, session }: Desk,
  body: object = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${inject("baseUrl")}/v1/agents/${agent}/replays`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: session, ...body }),
    signal: signal ?? null,
  });
}
