/** @module-tag broad */
// Replays of sessions with hooks, and of agents in code.
import { expect, onTestFinished, test } from "vitest";

import { says } from "../../support/fake-openai.ts";
import { startHookServer } from "../../support/hook-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { calls, openDesk, openSession, replay, say } from "../../support/replayed-desk.ts";

const LOOK = ["look_up", { order_id: "A-1" }] as const;
/** As long as a hook may take: none of these is about time. */
const timeout_ms = 30_000;
const POINTS = [
  "pre_reply",
  "pre_reasoning",
  "pre_model_call",
  "pre_print",
  "post_print",
  "post_reasoning",
  "pre_acting",
  "post_acting",
  "post_reply",
];

/** A desk whose hooks redact what the end user wrote and what the tool answered. */
async function recordRedacted() {
  const server = await startHookServer(({ point, input }) => {
    const [message] = input.messages ?? [];
    if (point === "pre_reply") {
      return { input: { messages: [{ id: message?.id, content: "My card is [hidden]" }] } };
    }
    return point === "post_acting" ? { output: { text: "order of [hidden]" } } : undefined;
  });
  onTestFinished(() => server.stop());
  const { url } = server;
  const hooks = POINTS.map((point) => ({ name: "desk", point, type: "http", url, timeout_ms }));
  const turn = [calls(LOOK), says("Found.")];
  const desk = await openDesk([...turn, ...turn, ...turn], { hooks });
  const reply = await say(desk, { id: "m1", content: "My card is 4711" });
  expect(reply.status).toBe("completed");
  return { ...desk, server, hooks, reply };
}

test("a replay asks no hook, of the recorded version or of another definition", async () => {
  const desk = await recordRedacted();
  const asked = desk.server.asked.length;
  expect(new Set(desk.server.asked.map(({ point }) => point))).toEqual(new Set(POINTS));

  const same = await replay(desk);
  const definition = { ...desk.definition, hooks: desk.hooks.slice(0, 2), system_prompt: "Other." };
  const other = await replay(desk, { definition });

  expect([same.body.stopped, other.body.stopped]).toEqual([null, null]);
  expect([same.body, other.body].map(({ summary }) => summary.calls.same)).toEqual([1, 1]);
  expect(desk.server.asked).toHaveLength(asked);
  expect(desk.asked).toEqual(["/look_up"]);
});

test("what hooks had redacted stays redacted in a replay", async () => {
  const desk = await recordRedacted();
  const sent = () => desk.model.requests.map(({ body }) => JSON.stringify(body));
  expect(sent()).toHaveLength(2);

  const { body } = await replay(desk, { from_reply_id: desk.reply.id });

  expect(body.stopped).toBe(null);
  expect(sent()).toHaveLength(4);
  const replayed = sent().slice(2);
  expect(replayed.map((text) => text.includes("My card is [hidden]"))).toEqual([true, true]);
  expect(replayed[1]).toContain("order of [hidden]");
  expect(replayed.filter((text) => text.includes("4711") || text.includes("/look_up"))).toEqual([]);
});

test("what a hook had redacted before the first reply of a replay stays redacted, too", async () => {
  const desk = await recordRedacted();
  const second = await say(desk, { id: "m2", content: "And my other one is 4712" });
  expect(second.status).toBe("completed");
  const recorded = desk.model.requests.length;

  await replay(desk, { from_reply_id: second.id });

  const replayed = desk.model.requests.slice(recorded).map(({ body }) => JSON.stringify(body));
  expect(replayed.length).toBeGreaterThan(0);
  expect(replayed.filter((text) => text.includes("4711") || text.includes("4712"))).toEqual([]);
});

test("a call that a hook had blocked has no recorded result", async () => {
  const server = await startHookServer(() => ({ action: "block", reason: "Not today." }));
  onTestFinished(() => server.stop());
  const { url } = server;
  const hooks = [{ name: "guard", point: "pre_acting", type: "http", url, timeout_ms }];
  const desk = await openDesk([calls(LOOK), says("No."), calls(LOOK)], { hooks });
  expect((await say(desk, "Look")).status).toBe("completed");

  const { body } = await replay(desk);

  expect(body.stopped).toMatchObject({
    reason: "no_recorded_result",
    tool_call: { tool_name: "look_up" },
  });
  expect([server.asked.length, desk.asked]).toEqual([1, []]);
});

test("an agent in code is not run again; what it has recorded is, without its code", async () => {
  const { key } = await createTenant();
  const router = { code_agent: "router", metadata: { answers: { "Opening hours?": "Nine." } } };
  const agent = await createAgent(key, router);
  const session = await openSession(key, agent);
  const at = { key, agent, session };
  expect((await say(at, "Opening hours?")).status).toBe("completed");
  const plain = { name: "Plain", model: { provider: "scripted" } };

  const refusals = [
    await replay(at),
    await replay(at, { version: 1 }),
    await replay(at, { definition: { ...plain, code_agent: "router" } }),
    await replay(at, { definition: { ...plain, code_agent: "no-such-agent" } }),
  ];
  const { status, body } = await replay(at, { definition: plain });

  expect(refusals.map((refused) => [refused.status, refused.body])).toMatchObject(
    ["#/version", "#/version", "#/definition/code_agent", "#/definition/code_agent"].map(
      (pointer) => [400, { code: "validation_failed", errors: [{ pointer }] }],
    ),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ stopped: null, replies: [{ recorded: { text: "Nine." } }] });
});

test("a definition for a replay is checked for its hooks and its plan's tools as one that is stored", async () => {
  const desk = await openDesk([]);
  const { key, agent, session, definition, tool } = desk;
  const hooks = [{ name: "missing", point: "pre_acting", type: "code" }];
  const tools = [tool("create_plan")];
  const bodies = [
    { ...definition, hooks },
    { ...definition, tools, plan: {} },
  ];
  const answers = await Promise.all(
    bodies.map((each) => replay({ key, agent, session }, { definition: each })),
  );
  const stored = await Promise.all(
    bodies.map((body) => request("POST", "/v1/agents", { key, body })),
  );

  expect(stored.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
});
