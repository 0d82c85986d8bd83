// The router: an agent in code that answers from a table, or hands over to the model loop.
import { expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

interface Reply {
  readonly id: string;
  readonly status: string;
  readonly message: Msg;
}

const ROUTER = {
  code_agent: "router",
  metadata: { answers: { "Opening hours?": "Nine to five." } },
};

async function openRouter() {
  const { key } = await createTenant();
  const agentId = await createAgent(key, ROUTER);
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  return {
    key,
    agentId,
    path,
    say: async (input: string) =>
      (await request<Reply>("POST", `${path}/replies`, { key, body: { input } })).body,
    events: async () =>
      (await request<{ data: LoggedEvent[] }>("GET", `${path}/events?limit=100`, { key })).body
        .data,
  };
}

it("a question of the table is answered without a model, and stored as any reply", async () => {
  const { say, events } = await openRouter();
  const reply = await say("opening hours");

  expect(reply).toMatchObject({
    status: "completed",
    message: { role: "assistant", content: [{ type: "text", text: "Nine to five." }] },
  });
  expect(
    (await events()).map((event) => (event.type === "CUSTOM" ? event.name : event.type)),
  ).toEqual([
    "message_added",
    "REPLY_START",
    "agent_step",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_DELTA",
    "TEXT_BLOCK_END",
    "REPLY_END",
  ]);
});

it("any other question is the model loop's, with its tools, and the table's answers are in its context", async () => {
  const { say, events } = await openRouter();
  await say("Opening hours?");
  const reply = await say(`/call lookup_order {"order_id":"A-1001"}\n/say It is on its way.`);

  expect(reply.status).toBe("completed");
  expect(reply.message.content.map(({ type }) => type)).toEqual([
    "tool_call",
    "tool_result",
    "text",
  ]);
  expect((await events()).filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(2);
});

it("null takes an agent's code away: its next version is the model loop's", async () => {
  const { key, agentId } = await openRouter();
  const body = { code_agent: null };
  const changed = await request("PATCH", `/v1/agents/${agentId}`, { key, body });
  const path = `/v1/sessions/${await createSession(key, agentId)}/replies`;
  const reply = await request<Reply>("POST", path, { key, body: { input: "Opening hours?" } });

  expect(changed).toMatchObject({ status: 200, body: { version: 2, code_agent: null } });
  expect(reply.body.status).toBe("completed");
  expect(JSON.stringify(reply.body.message.content)).not.toContain("Nine to five.");
});

it("another tenant's agents name the same code and see nothing of each other; unknown code is refused", async () => {
  const one = await openRouter();
  const other = await openRouter();
  await one.say("Opening hours?");
  const spied = await request("GET", `${one.path}/messages`, { key: other.key });
  const unknown = await request<{ errors: { pointer: string }[] }>("POST", "/v1/agents", {
    key: one.key,
    body: { name: "Nobody", code_agent: "nobody" },
  });

  expect(spied.status).toBe(404);
  expect([unknown.status, unknown.body.errors[0]?.pointer]).toEqual([400, "#/code_agent"]);
});
