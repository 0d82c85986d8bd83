/** @module-tag broad */
// The platform is killed with kill -9 and started again: replies that wait for a person, deliveries that the queue had
// in memory, and requests whose answers were lost outlive it. One platform for all of them.
import { expect, onTestFinished, test } from "vitest";

import { Reprise, type LoggedEvent } from "../../sdk/index.ts";
import { startHangingReceiver } from "../support/hanging-receiver.ts";
import { mortalPlatform } from "../support/mortal-platform.ts";
import { answer, echo, startToolServer, type ToolServer } from "../support/tool-server.ts";

const platform = mortalPlatform();

/** The platform, as a tenant reaches it; started when it was killed. */
async function reach(apiKey: string): Promise<Reprise> {
  const { base_url: baseUrl } = await platform.running();
  return new Reprise({ baseUrl, apiKey });
}

const REFUND = "I want my money back for A-1003.";
const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};

async function startTools(): Promise<ToolServer> {
  const tools = await startToolServer({
    "/lookup_order": answer('{"output":"a ceramic teapot for 72.90 EUR."}'),
    "/refund_order": echo,
  });
  onTestFinished(() => tools.stop());
  return tools;
}

function agentWith(tools: ToolServer) {
  const tool = { type: "http", input_schema: ORDER } as const;
  return {
    name: "Refund desk",
    tools: [
      { ...tool, name: "lookup_order", url: `${tools.url}/lookup_order`, read_only: true },
      { ...tool, name: "refund_order", url: `${tools.url}/refund_order` },
      { type: "external", name: "print_label", input_schema: ORDER, read_only: true } as const,
    ],
  };
}

test("both pauses of a refund outlive kill -9, and the reply goes on as if nothing had happened", async () => {
  const [apiKey, tools] = [await platform.createTenant(), await startTools()];
  const first = await reach(apiKey);
  const { id: agent_id } = await first.agents.create(agentWith(tools));
  const { id: sessionId } = await first.sessions.create({ agent_id });
  const seen: LoggedEvent[] = [];

  const asked = first.session(sessionId).reply(REFUND);
  for await (const event of asked) seen.push(event);
  const replyId = asked.id ?? "";
  const pending = (await asked.done()).pending;
  await platform.kill();

  const second = await reach(apiKey);
  const confirmed = second.session(sessionId);
  await confirmed.confirm(await confirmed.get(), {
    input: { order_id: "A-1003", amount: "60.00 EUR" },
  });
  const printing = confirmed.resumeReply(replyId, {
    after: asked.cursor,
    message: asked.message(),
  });
  for await (const event of printing) seen.push(event);
  await platform.kill();

  const third = await reach(apiKey);
  const submitted = third.session(sessionId);
  await submitted.submitToolResults(await submitted.get(), "Label 1Z-77");
  const ending = submitted.resumeReply(replyId, {
    after: printing.cursor,
    message: printing.message(),
  });
  for await (const event of ending) seen.push(event);

  expect([asked.status, printing.status, ending.status]).toEqual([
    "awaiting_permission",
    "awaiting_external_result",
    "completed",
  ]);
  expect(pending.map(({ tool_call }) => tool_call.name)).toEqual(["refund_order"]);
  const refunds = tools.requests.filter(({ path }) => path === "/refund_order");
  expect(refunds.map(({ body }) => (body as { input: unknown }).input)).toEqual([
    { order_id: "A-1003", amount: "60.00 EUR" },
  ]);
  const stored = await submitted.message(replyId);
  expect(JSON.stringify(ending.message())).toBe(JSON.stringify(stored.message));
  expect(await ending.text()).toContain("Label 1Z-77");
  const replayed: LoggedEvent[] = [];
  for await (const event of submitted.events({ replyId })) replayed.push(event);
  expect(seen).toEqual(replayed);
});

test("a confirmation whose time runs out while the platform is away is denied once it is back", async () => {
  const [apiKey, tools] = [await platform.createTenant(), await startTools()];
  const first = await reach(apiKey);
  const { id: agent_id } = await first.agents.create({
    ...agentWith(tools),
    confirmation_ttl: 4,
  });
  const { id: sessionId } = await first.sessions.create({ agent_id });
  const asked = first.session(sessionId).reply(REFUND);
  const [call] = (await asked.done()).pending;
  await platform.kill();
  const expiresInMs = Date.parse(call?.expires_at ?? "") - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresInMs)));

  const second = await reach(apiKey);
  const session = second.session(sessionId);
  const ending = session.resumeReply(asked.id ?? "", {
    after: asked.cursor,
    message: asked.message(),
    follow: true,
  });
  const answers = await ending.text();

  expect([asked.status, ending.status]).toEqual(["awaiting_permission", "completed"]);
  expect(answers).toContain("Nobody answered in time whether it may run.");
  expect(tools.calls("/refund_order")).toBe(0);
  const stored = await session.message(asked.id ?? "");
  expect(JSON.stringify(ending.message())).toBe(JSON.stringify(stored.message));
});

const MESSAGES = 40;

/** Asks until all messages are deliveries of that state. */
async function untilThere(reprise: Reprise, endpointId: string, status: "pending" | "delivered") {
  for (;;) {
    let count = 0;
    const list = reprise.webhookEndpoints.deliveries(endpointId, { status });
    for await (const _ of list) count += 1;
    if (count === MESSAGES) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("deliveries that were under way, in the queue or waiting when the machine died all arrive without traffic", async () => {
  const [apiKey, receiver] = [await platform.createTenant(), await startHangingReceiver()];
  onTestFinished(() => receiver.stop());
  const reprise = await reach(apiKey);
  const { id: agent_id } = await reprise.agents.create({ name: "Desk" });
  const endpoint = await reprise.webhookEndpoints.create({
    url: `${receiver.url}/hook`,
    events: ["session.created"],
  });
  for (let made = 0; made < MESSAGES; made += 1) await reprise.sessions.create({ agent_id });
  // D1 has them all: from here on they are the queue's alone.
  await untilThere(reprise, endpoint.id, "pending");
  await receiver.waitUntil(() => receiver.begun.length > 0);
  await platform.kill();
  receiver.release();

  const restarted = await reach(apiKey);
  await receiver.waitUntil(() => receiver.answered.size === MESSAGES);

  // The messages have arrived; that they did is written a moment later.
  await untilThere(restarted, endpoint.id, "delivered");
  expect(receiver.answered.size).toBe(MESSAGES);
});

interface Made {
  readonly id: string;
}

test("what was done before kill -9 is answered after it, and not done again", async () => {
  const key = await platform.createTenant();
  const agent = await post<Made>(key, "/v1/agents", { name: "Refund desk" });
  const session = await post<Made>(key, "/v1/sessions", { agent_id: agent.body.id });
  const path = `/v1/sessions/${session.body.id}/replies`;
  const said = { input: "/say hello", background: true };
  const reply = await post<Made>(key, path, said);
  await platform.kill();

  const again = [
    await post<Made>(key, "/v1/agents", { name: "Refund desk" }),
    await post<Made>(key, "/v1/sessions", { agent_id: agent.body.id }),
    await post<Made>(key, path, said),
  ];

  expect(again.map(({ status, body, isReplayed }) => [status, body.id, isReplayed])).toEqual([
    [201, agent.body.id, true],
    [201, session.body.id, true],
    [202, reply.body.id, true],
  ]);
});

/** Asks with the same Idempotency-Key each time. */
async function post<Body>(apiKey: string, path: string, body: object) {
  const { base_url } = await platform.running();
  const response = await fetch(base_url + path, {
    method: "POST",
    headers: {
      "idempotency-key": "order-1001",
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    isReplayed: response.headers.get("idempotent-replayed") === "true",
    body: (await response.json()) as Body,
  };
}
