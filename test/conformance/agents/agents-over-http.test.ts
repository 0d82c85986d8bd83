// Agents in code on a server of their tenant: each turn is a request, and what it says goes the way of all that a model says.
import { expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { calls, says, streams } from "../../support/agent-server.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { openServed } from "../../support/open-served.ts";
import { createTenant, request } from "../../support/platform-client.ts";

const LOOKUP = calls("lookup_order", { order_id: "A-1001" });

it("a turn is one request with what is new, and its events are the reply", async () => {
  const { say, server, agentId, events } = await openServed(() => ({ events: says("Hello.") }), {
    agent: { metadata: { city: "Graz" }, system_prompt: "Be brief." },
  });
  const reply = await say("Hi.");
  const [asked] = server.asked;

  expect(reply).toMatchObject({
    status: "completed",
    message: { role: "assistant", content: [{ type: "text", text: "Hello." }] },
  });
  expect(asked).toEqual({
    id: `${reply.id}-1`,
    method: "reply",
    turn: 1,
    session_id: reply.session_id,
    reply_id: reply.id,
    end_user_id: null,
    agent: {
      id: agentId,
      version: 1,
      name: "Refund desk",
      metadata: { city: "Graz" },
      system_prompt: "Be brief.",
    },
    input: [
      {
        id: expect.any(String),
        role: "user",
        name: "user",
        content: [expect.objectContaining({ type: "text", text: "Hi." })],
      },
    ],
    history: [],
    message: null,
    tools: [expect.objectContaining({ name: "lookup_order" })],
    tool_choice: null,
    structured_schema: null,
  });
  expect(server.requests[0]?.headers).toMatchObject({
    "webhook-id": `${reply.id}-1`,
    "idempotency-key": `${reply.id}-1`,
    "content-type": "application/json",
  });
  expect(
    (await events()).map((event) => (event.type === "CUSTOM" ? event.name : event.type)),
  ).toEqual([
    "message_added",
    "REPLY_START",
    "MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_DELTA",
    "agent_step",
    "TEXT_BLOCK_END",
    "MODEL_CALL_END",
    "REPLY_END",
  ]);
});

it("a second reply has the first one in its history", async () => {
  const { say, server } = await openServed(({ history }) => ({
    events: says(`${history.length} before.`),
  }));
  await say("One.");
  const { message } = await say("Two.");

  expect(message?.content).toMatchObject([{ text: "2 before." }]);
  expect(server.asked[1]?.input).toMatchObject([{ content: [{ text: "Two." }] }]);
});

it("its calls run, and the next turn has their results", async () => {
  const { say, server } = await openServed(({ message }) =>
    message === null ? { events: LOOKUP } : { events: says("It is on its way.") },
  );
  const { status, message } = await say("Where is it?");

  expect(status).toBe("completed");
  expect(message?.content).toMatchObject([
    { type: "tool_call", name: "lookup_order", state: "finished" },
    { type: "tool_result", state: "success" },
    { type: "text", text: "It is on its way." },
  ]);
  expect(server.asked.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(server.asked[1]?.message?.content).toMatchObject([
    { type: "tool_call" },
    { type: "tool_result", state: "success" },
  ]);
});

it("a call waits for a person, and is denied by a rule, as a model's is", async () => {
  const answer = ({ message }: { message: unknown }) =>
    message === null ? { events: LOOKUP } : { events: says("Done.") };
  const permission = (behavior: string) => ({
    mode: "default",
    rules: [{ tool_name: "lookup_order", behavior }],
  });
  const denied = await openServed(answer, { agent: { permission: permission("deny") } });
  const asked = await openServed(answer, { agent: { permission: permission("ask") } });
  const refused = await denied.say("Go.");
  const parked = await asked.say("Go.");
  const [pending] = parked.pending;
  await asked.ask("POST", "/events", {
    type: "USER_CONFIRM_RESULT",
    reply_id: parked.id,
    confirm_results: [{ confirmed: true, tool_call: pending?.tool_call }],
    metadata: { input_hashes: { [String(pending?.tool_call.id)]: pending?.input_hash } },
  });
  const done = await endedReply(
    async () => (await asked.ask<Reply>("GET", `/replies/${parked.id}`)).body,
  );

  expect(refused.message?.content).toMatchObject([
    { type: "tool_call" },
    { type: "tool_result", state: "denied" },
    { text: "Done." },
  ]);
  expect(parked.status).toBe("awaiting_permission");
  expect(asked.server.asked).toHaveLength(2);
  expect(done.message?.content.at(-1)).toMatchObject({ text: "Done." });
});

it("next `model` gives the agent's own model one turn, and comes back", async () => {
  const { say, server } = await openServed(({ turn, message }) =>
    turn === 1
      ? { events: [], next: "model" }
      : { events: says(`After ${message?.content.length} block.`) },
  );
  const { status, message } = await say("/say I am the model.");

  expect(status).toBe("completed");
  expect(message?.content).toMatchObject([
    { type: "text", text: "I am the model." },
    { type: "text", text: "After 1 block." },
  ]);
  expect(server.asked.map(({ turn }) => turn)).toEqual([1, 3]);
});

it("next `loop` hands over to the model loop, to the reply's end", async () => {
  const { say, server } = await openServed(() => ({ events: [], next: "loop" }));
  const { status, message } = await say(
    `/call lookup_order {"order_id":"A-1001"}\n/say It is there.`,
  );

  expect(status).toBe("completed");
  expect(message?.content.map(({ type }) => type)).toEqual(["tool_call", "tool_result", "text"]);
  expect(server.asked).toHaveLength(1);
});

it("next `turn` asks again, as often as the agent has rounds; `end` ends behind the turn's calls", async () => {
  const endless = await openServed(() => ({ events: says("Again."), next: "turn" }), {
    agent: { max_iters: 3 },
  });
  const last = await openServed(() => ({ events: LOOKUP, next: "end" }));
  const again = await endless.say("Go.");
  const ended = await last.say("Go.");

  expect(again.status).toBe("exceed_max_iters");
  expect(endless.server.asked).toHaveLength(3);
  expect(ended).toMatchObject({ status: "completed" });
  expect(ended.message?.content.map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
});

it("a stream is shown as it comes, and blocks stay apart", async () => {
  const { say } = await openServed(() =>
    streams([
      { type: "REPLY_START", reply_id: "foreign", session_id: "foreign", name: "x" },
      { type: "THINKING_BLOCK_DELTA", block_id: "t", delta: "Hm." },
      ...says("One.", "b1"),
      ...says("Two.", "b2"),
      { type: "MADE_UP", value: 1 },
      { next: "end" },
    ]),
  );
  const { status, message } = await say("Go.");

  expect(status).toBe("completed");
  expect(message?.content).toMatchObject([
    { type: "thinking", thinking: "Hm." },
    { type: "text", text: "One." },
    { type: "text", text: "Two." },
  ]);
});

it("a turn whose connection is cut is taken back, and asked for again under the same id", async () => {
  const { say, server, events } = await openServed((_, count) =>
    count === 1 ? streams([...says("Half")], { isCut: true }) : { events: says("Whole.") },
  );
  const { status, message } = await say("Go.");

  expect(status).toBe("completed");
  expect(message?.content).toMatchObject([{ text: "Whole." }]);
  expect(new Set(server.asked.map(({ id }) => id)).size).toBe(1);
  expect(server.asked).toHaveLength(2);
  expect(
    (await events()).some((event) => event.type === "CUSTOM" && event.name === "reply_recovered"),
  ).toBe(true);
});

it("structured output is a call of its tool, whose schema the server is sent", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const { say, server } = await openServed(({ tools }) => ({
    events: calls(tools.at(-1)?.name ?? "", { city: "Graz" }),
  }));
  const reply = await say("Where?", { structured_schema: schema });

  expect(reply).toMatchObject({
    status: "completed",
    message: { structured_output: { city: "Graz" } },
  });
  expect(server.asked[0]?.structured_schema).toEqual(schema);
});

it("it is told of observed messages, and says what a reply says after an interrupt", async () => {
  const { say, ask, server } = await openServed(
    async ({ method }) => {
      if (method === "handle_interrupt") return { events: says("I have stopped.") };
      if (method === "reply") return new Promise(() => {});
      return {};
    },
    { code_agent: { observe: true, handle_interrupt: true } },
  );
  await ask("POST", "/observe", { messages: "The news." });
  await expect.poll(() => server.asked.length).toBe(1);
  const running = await say("Go.", { background: true });
  await expect.poll(() => server.asked.length).toBe(2);
  await ask("POST", "/interrupt");
  const ended = await endedReply(
    async () => (await ask<Reply>("GET", `/replies/${running.id}`)).body,
  );

  expect(server.asked[0]).toMatchObject({
    point: "post_observe",
    input: { messages: [{ content: [{ text: "The news." }] }] },
  });
  expect(server.asked[2]).toMatchObject({
    id: `${running.id}-interrupt`,
    method: "handle_interrupt",
    reply_id: running.id,
  });
  expect(ended).toMatchObject({
    status: "interrupted",
    message: { content: [{ text: "I have stopped." }] },
  });
});

it("requests are signed and have the secret headers, and no answer, error or diagnostics shows a secret", async () => {
  const SECRET = "swordfish-4711-unseen";
  const WHSEC = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const { key, agentId, server } = await openServed((_, count) =>
    count === 1
      ? { events: says("Hello.") }
      : { error: { message: `the key ${SECRET} is wrong`, status: 400 } },
  );
  const credential = async (name: string, secret: string) =>
    (
      await request<{ id: string }>("POST", "/v1/credentials", {
        key,
        body: { name, type: "tool", secret, allowed_hosts: [new URL(server.url).host] },
      })
    ).body.id;
  const code_agent = {
    type: "http",
    url: server.url,
    signing_credential_id: await credential("signing", WHSEC),
    secret_headers: { "X-Agent-Key": await credential("header", SECRET) },
  };
  await request("PATCH", `/v1/agents/${agentId}`, { key, body: { code_agent } });
  const path = `/v1/sessions/${(await request<{ id: string }>("POST", "/v1/sessions", { key, body: { agent_id: agentId } })).body.id}`;
  const first = await request<Reply>("POST", `${path}/replies`, { key, body: { input: "Hi." } });
  const second = await request<Reply>("POST", `${path}/replies`, { key, body: { input: "Hi." } });
  const shown = await Promise.all(
    [
      "/events?limit=100",
      `/replies/${second.body.id}`,
      `/replies/${second.body.id}/diagnostics`,
    ].map(async (what) => JSON.stringify((await request("GET", `${path}${what}`, { key })).body)),
  );

  expect(first.body.status).toBe("completed");
  expect(server.requests[0]?.headers).toMatchObject({
    "x-agent-key": SECRET,
    "webhook-signature": expect.stringMatching(/^v1,/),
  });
  expect(second.body).toMatchObject({ status: "error", error: { type: "invalid_request" } });
  expect(shown.join("")).not.toContain(SECRET);
});

it("a definition is checked: addresses, credentials, members, a voice in realtime", async () => {
  const { key } = await createTenant();
  const refusal = async (code_agent: object, more: object = {}) => {
    const { status, body } = await request<{ errors?: { pointer: string }[] }>(
      "POST",
      "/v1/agents",
      { key, body: { name: "A", code_agent, ...more } },
    );
    return [status, body.errors?.[0]?.pointer];
  };
  const url = "http://127.0.0.1:9";

  expect(await refusal({ type: "http", url: "http://10.0.0.1/" })).toEqual([
    400,
    "#/code_agent/url",
  ]);
  expect(await refusal({ type: "http", url, signing_credential_id: "cred_none" })).toEqual([
    400,
    "#/code_agent/signing_credential_id",
  ]);
  expect(await refusal({ type: "http", url, secret_headers: { "X-A": "cred_none" } })).toEqual([
    400,
    "#/code_agent/secret_headers/X-A",
  ]);
  expect((await refusal({ type: "http", url, secret_headers: { host: "x" } }))[0]).toBe(400);
  expect((await refusal({ type: "http", url, points: [] }))[0]).toBe(400);
  expect((await refusal({ type: "http" }))[0]).toBe(400);
});

it("a check of the agent asks whether the server is there, and for no turn", async () => {
  const { key, agentId, server } = await openServed(() => ({ events: [] }));
  const { body } = await request<{ ok: boolean; code_agent: object }>(
    "POST",
    `/v1/agents/${agentId}/check`,
    { key, body: {} },
  );

  expect(body).toMatchObject({
    ok: true,
    code_agent: { name: "code_agent", provider: "http", status: "ok", http_status: 405 },
  });
  expect(server.asked).toEqual([]);
  expect(server.requests.map(({ method }) => method)).toEqual(["OPTIONS"]);
});
