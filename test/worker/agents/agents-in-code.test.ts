// Agents in code, over HTTP: what they say and ask for goes the way of everything that a model says and asks for.
import { expect, inject, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { deployAgent } from "../support/deployed-agent.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";

const observed: string[] = [];
let entered = 0;

// The seed's `MyAgent`.
deployAgent({
  name: "my_agent",
  reply: (reply) => reply.say("hello", "Hello!"),
  handle_interrupt: () => "Interrupted.",
  observe: ({ content }) =>
    void observed.push(...content.map((block) => (block.type === "text" ? block.text : ""))),
});
// The seed's `ReActAgentBase`: reasoning and acting apart.
deployAgent({
  name: "two_steps",
  async reply(reply) {
    entered += 1;
    const said = await reply.reason("first");
    const kept = await reply.once("number", () => entered);
    await reply.act();
    await reply.say("last", `${said.length} block, entered ${kept}`);
  },
});
deployAgent({
  name: "payer",
  async reply(reply) {
    const result = await reply.call("pay", "pay", { to: "4711" });
    await reply.say("done", `pay was ${result.state}`);
  },
});
deployAgent({
  name: "closer",
  async reply(reply) {
    await reply.say("first", "I close it.");
    await reply.call("close", "close", {});
    await reply.say("last", "Nobody hears this.");
  },
});
deployAgent({
  name: "broken",
  async reply(reply) {
    await reply.say("first", "Before.");
    throw new Error("a secret text");
  },
});
deployAgent({
  name: "slow",
  reply: (reply) =>
    new Promise((resolve) => reply.stop.addEventListener("abort", () => resolve(), { once: true })),
  handle_interrupt: () => "Interrupted.",
});
deployHook({
  name: "shout",
  on_system_prompt: (prompt) => `${prompt} Shout.`,
  pre_print: (event) => ({ delta: event.delta.toUpperCase() }),
  on_check_permission: ({ tool }, next) => ({
    ...next(),
    ...(tool.name === "pay" && { behavior: "ask", reason: "it is money" }),
  }),
});

const PAY = {
  type: "external",
  name: "pay",
  input_schema: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
};

function say(path: string, call: Call, input = "/say hi") {
  return ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });
}

async function eventsOf(path: string, call: Call): Promise<readonly LoggedEvent[]> {
  return (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call)).json.data;
}

test("the seed's custom agent says its text, is told what is observed, and has its words about an interrupt", async () => {
  const { call, path } = await openSession({ name: "Mine", code_agent: "my_agent" });
  await ask("POST", `${path}/observe`, { ...call, json: { messages: "the news" } });
  await expect.poll(() => observed).toEqual(["the news"]);
  const { json } = await say(path, call);

  expect(json).toMatchObject({ status: "completed", message: { content: [{ text: "Hello!" }] } });
});

test("an interrupt is answered by the agent's own words, and the reply ends as interrupted", async () => {
  const { call, path } = await openSession({ name: "Slow", code_agent: "slow" });
  const json = { input: "go on", background: true };
  const { json: reply } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
  await ask("POST", `${path}/interrupt`, call);
  const ended = await endedReply(
    async () => (await ask<Reply>("GET", `${path}/replies/${reply.id}`, call)).json,
  );

  expect(ended).toMatchObject({
    status: "interrupted",
    message: { content: [{ type: "text", text: "Interrupted." }] },
  });
});

test("reasoning and acting are steps of their own, and what the code kept stays when it is entered again", async () => {
  entered = 0;
  const tools = [{ ...PAY }];
  const { call, path } = await openSession({ name: "Two", code_agent: "two_steps", tools });
  const { json: parked } = await say(path, call, `/call pay {"to":"4711"}`);
  const [pending] = parked.pending;
  const tool_call = pending?.tool_call;
  const metadata = { input_hashes: { [String(tool_call?.id)]: pending?.input_hash } };
  const confirm = { confirmed: false, tool_call };
  const event = {
    type: "USER_CONFIRM_RESULT",
    reply_id: parked.id,
    confirm_results: [confirm],
    metadata,
  };
  await ask("POST", `${path}/events`, { ...call, json: event });
  const done = await endedReply(
    async () => (await ask<Reply>("GET", `${path}/replies/${parked.id}`, call)).json,
  );

  expect(parked.status).toBe("awaiting_permission");
  expect(done.message?.content).toMatchObject([
    { type: "tool_call", state: "finished" },
    { type: "tool_result", state: "denied" },
    { type: "text", text: "1 block, entered 1" },
  ]);
  expect(entered).toBe(2);
});

test("its calls are asked of rules and people as a model's are: a deny rule holds, an allow rule is enough", async () => {
  const tool = { ...PAY, type: "http", url: FAILING_TOOL_URL };
  const of = async (behavior: string) => {
    const permission = { mode: "default", rules: [{ tool_name: "pay", behavior }] };
    const { call, path } = await openSession({
      name: "P",
      code_agent: "payer",
      tools: [tool],
      permission,
    });
    const { json } = await say(path, call);
    return [json.status, json.message?.content.at(-1)];
  };

  expect(await of("deny")).toMatchObject(["completed", { text: "pay was denied" }]);
  expect(await of("allow")).toMatchObject(["completed", { text: "pay was error" }]);
  expect(await of("ask")).toMatchObject([
    "awaiting_permission",
    { type: "tool_call", state: "asking" },
  ]);
});

test("an exception of its code ends the reply with an error that says nothing of it, and keeps what was said", async () => {
  const log = hearLog();
  const { call, path } = await openSession({ name: "Broken", code_agent: "broken" });
  const { json } = await say(path, call);

  expect(json).toMatchObject({ status: "error", message: { content: [{ text: "Before." }] } });
  expect(JSON.stringify(await eventsOf(path, call))).not.toContain("a secret text");
  expect(log).toMatchObject(["reply failed", { log: "reply_failed", error_type: "internal" }]);
});

deployHook({
  name: "guard",
  pre_model_call: () => ({ action: "block", reason: "Not that." }),
  pre_reasoning: () => ({ action: "stop", text: "Not that." }),
});

test.each(["pre_model_call", "pre_reasoning"])(
  "a hook at %s ends the reply in the midst of its reasoning",
  async (point) => {
    const hooks = [{ name: "guard", type: "code", point }];
    const { call, path } = await openSession({ name: "Two", code_agent: "two_steps", hooks });
    const { json } = await say(path, call);

    expect(json).toMatchObject({
      status: "completed",
      message: { content: [{ text: "Not that." }] },
    });
  },
);

test("layers of the deployment are around it: they tighten a permission, never loosen it, and print its words", async () => {
  const hooks = ["on_system_prompt", "on_check_permission", "pre_print"].map((point) => {
    return { name: "shout", type: "code", point };
  });
  const tool = { ...PAY, type: "http", url: FAILING_TOOL_URL };
  const of = async (behavior: string) => {
    const permission = { mode: "default", rules: [{ tool_name: "pay", behavior }] };
    const agent = { name: "P", code_agent: "payer", tools: [tool], permission, hooks };
    const { call, path } = await openSession(agent);
    return (await say(path, call)).json;
  };
  const denied = await of("deny");

  expect([denied.status, denied.message?.content.at(-1)]).toMatchObject([
    "completed",
    { text: "PAY WAS DENIED" },
  ]);
  expect((await of("allow")).status).toBe("awaiting_permission");
});

test("a tool that stops the reply ends it, and no later step of the code is run", async () => {
  const url = `${inject("effectServerUrl")}/stop/close`;
  const { call, path } = await openSession({
    name: "Closer",
    code_agent: "closer",
    tools: [{ type: "http", name: "close", url, read_only: true }],
  });
  const { json } = await say(path, call);
  const events = await eventsOf(path, call);

  expect(json).toMatchObject({
    status: "completed",
    message: {
      content: [
        { text: "I close it." },
        { type: "tool_call", name: "close" },
        { type: "tool_result", state: "success" },
      ],
    },
  });
  expect(events.at(-1)).toMatchObject({ metadata: { stopped_by: { tool: "close" } } });
});
