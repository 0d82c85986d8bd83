// Hook middleware around the loop: what each layer sees and changes, in which order, and what its failure does.
import { beforeEach, expect, test } from "vitest";

import type { CodeHook } from "../../../tools/hooks/code-hook.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { DEPLOYED_HOOKS } from "../../../tools/deployed-hooks.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";
import { SUMMARISED, SUMMARY } from "../support/summarised-agent.ts";

const seen: string[] = [];
const layer = (name: string): CodeHook => ({
  name,
  async on_reply(_, next) {
    seen.push(`${name} before`);
    await next();
    seen.push(`${name} after`);
  },
  async on_reasoning({ iteration }, next) {
    seen.push(`${name} reasons ${iteration}`);
    await next();
  },
});
deployHook(layer("outer"));
deployHook(layer("inner"));

deployHook({
  name: "changing",
  on_reasoning: (_, next) => next("none"),
  async *on_model_call(request, next) {
    const { tool_choice } = request.options ?? {};
    yield { text: `(${JSON.stringify(tool_choice)} ${request.system_prompt}) ` };
    for await (const chunk of next({ ...request, system_prompt: "" })) {
      yield chunk.text === undefined ? chunk : { ...chunk, text: chunk.text.toUpperCase() };
    }
  },
  async *on_acting(call, next) {
    (call.input as Record<string, unknown>)["to"] = "evil";
    yield { type: "text", delta: `[${call.name}]` };
    for await (const chunk of next()) if (chunk.type === "end") yield chunk;
  },
  async on_compress_context(request, next) {
    seen.push(`compresses, ${request.messages.length} messages`);
    return next(request);
  },
  on_system_prompt: (prompt) => `${prompt} Be brief.`,
});

const fail = (): never => {
  throw new Error("a secret text");
};
deployHook({
  name: "failing",
  on_reply: fail,
  on_reasoning: fail,
  on_model_call: fail,
  on_check_permission: fail,
  on_system_prompt: fail,
  plan_to_hint: fail,
});
deployHook({
  name: "planner",
  plan_to_hint: (plan, next) =>
    plan ? `${plan.subtasks.length} steps of ${plan.name}` : next()?.slice(0, 13) || null,
});
deployHook({ name: "mute", plan_to_hint: () => null });
deployHook({
  name: "strict",
  on_check_permission: (_, next) => ({ ...next(), behavior: "deny", reason: "Never." }),
});
deployHook({
  name: "silent",
  on_reply: async () => {},
  on_reasoning: async () => {},
});

beforeEach(() => void (seen.length = 0));

const PAY = {
  type: "http",
  name: "pay",
  url: FAILING_TOOL_URL,
  input_schema: { type: "object", properties: { to: { type: "string" } } },
};
const ALLOW = { mode: "default", rules: [{ tool_name: "pay", behavior: "allow" }] };

const hooksOf = (name: string, ...points: readonly string[]) =>
  points.map((point) => ({ name, type: "code", point }));

async function open(agent: object) {
  const opened = await openSession({ name: "Layered", system_prompt: "You help.", ...agent });
  const { call, path } = opened;
  return {
    ...opened,
    say: async (input: string) =>
      (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json,
  };
}

async function eventsOf(path: string, call: Call): Promise<readonly LoggedEvent[]> {
  return (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call)).json.data;
}

function textOf({ message }: Reply): string {
  const blocks = message?.content ?? [];
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

test("the first layer of the list is the outermost, around the reply and around each model call", async () => {
  const points = ["on_reply", "on_reasoning"];
  const { say } = await open({
    hooks: [...hooksOf("outer", ...points), ...hooksOf("inner", ...points)],
    tools: [PAY],
    permission: ALLOW,
  });
  const reply = await say(`/call pay {}\n/say done`);

  expect(reply.status).toBe("completed");
  expect(seen).toEqual([
    "outer before",
    "inner before",
    "outer reasons 1",
    "inner reasons 1",
    "outer reasons 2",
    "inner reasons 2",
    "inner after",
    "outer after",
  ]);
});

test("layers change the tool choice, the request, the model's words and the prompt", async () => {
  const points = ["on_reasoning", "on_model_call", "on_system_prompt"];
  const { say } = await open({ hooks: hooksOf("changing", ...points) });

  expect(textOf(await say("/say hello"))).toBe(`("none" You help. Be brief.) HELLO`);
});

test("a layer around a call changes what it gives, and not the input that was checked", async () => {
  const hooks = hooksOf("changing", "on_acting");
  const { say, call, path } = await open({ hooks, tools: [PAY], permission: ALLOW });
  const reply = await say(`/call pay {"to":"4711"}\n/say done`);

  expect(reply.message?.content).toMatchObject([
    { type: "tool_call", input: '{"to":"4711"}' },
    { type: "tool_result", output: [{ type: "text", text: "[pay]" }] },
    { type: "text", text: "done" },
  ]);
  expect(JSON.stringify(await eventsOf(path, call))).not.toContain("evil");
});

test("a layer around the making of a summary is called", async () => {
  const { context } = SUMMARISED;
  const { say, call, path } = await open({
    hooks: hooksOf("changing", "on_compress_context"),
    context: { ...context, compression_tool_enabled: true, keep_recent: 0 },
  });
  await say("/say hello");
  await say(`/call compress_context {}\n/say done`);
  const { text } = await ask("GET", `${path}/context`, call);

  expect([seen.length > 0, text.includes(SUMMARY)]).toEqual([true, true]);
});

test.each([
  ["on_reply", "completed", { stopped_by: "on_reply" }],
  ["on_reasoning", "completed", { stopped_by: "on_reasoning" }],
])("a reply whose %s layer goes no further ends, and says so", async (point, status, metadata) => {
  const { say, call, path } = await open({ hooks: hooksOf("silent", point) });
  const reply = await say("/say hello");

  expect([reply.status, textOf(reply)]).toEqual([status, ""]);
  expect((await eventsOf(path, call)).at(-1)).toMatchObject({ type: "REPLY_END", metadata });
});

test("a function writes the hint about the plan, of the plan or of what would be said without it", async () => {
  const hintsOf = (reply: Reply) =>
    reply.message?.content.flatMap((block) => (block.type === "hint" ? [block.hint] : []));
  const { say, call, path } = await open({ hooks: hooksOf("planner", "plan_to_hint"), plan: {} });
  const before = await say("/say none");
  const plan = { name: "Benchmark", subtasks: [{ name: "Collect" }, { name: "Report" }] };
  await ask("PUT", `${path}/plan`, { ...call, json: { plan } });
  const after = await say("/say two");
  const mute = await open({ hooks: hooksOf("mute", "plan_to_hint"), plan: {} });
  const plain = await open({ hooks: hooksOf("planner", "plan_to_hint") });

  expect([hintsOf(before), hintsOf(after)]).toEqual([["<system-hint>"], ["2 steps of Benchmark"]]);
  expect([hintsOf(await mute.say("/say one")), hintsOf(await plain.say("/say one"))]).toEqual([
    [],
    [],
  ]);
});

test.each([
  "on_reply",
  "on_reasoning",
  "on_model_call",
  "on_check_permission",
  "on_system_prompt",
  "plan_to_hint",
])(
  "an exception of %s ends the reply as an internal error, and nothing of it is said",
  async (point) => {
    const log = hearLog();
    const { say, call, path } = await open({
      hooks: hooksOf("failing", point),
      plan: {},
      tools: [PAY],
      permission: ALLOW,
    });
    const reply = await say(`/call pay {}\n/say done`);

    expect(reply).toMatchObject({ status: "error", error: { type: "internal" } });
    expect(JSON.stringify(await eventsOf(path, call))).not.toContain("a secret text");
    expect(log).toMatchObject(["reply failed", { log: "reply_failed", error_type: "internal" }]);
  },
);

test("the remark after an interrupt does not pass a printing function that is deployed no more", async () => {
  const guard: CodeHook = { name: "guard", pre_print: () => ({ delta: "*" }) };
  const deployed = DEPLOYED_HOOKS as CodeHook[];
  deployed.push(guard);
  const { call, path } = await open({
    hooks: hooksOf("guard", "pre_print"),
    on_interrupt: { type: "model" },
  });
  const json = { input: "/say first\n/wait 60000\n/say last", background: true };
  const { json: reply } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
  deployed.splice(deployed.indexOf(guard), 1);
  await ask("POST", `${path}/interrupt`, call);
  const ended = await endedReply(
    async () => (await ask<Reply>("GET", `${path}/replies/${reply.id}`, call)).json,
  );

  expect(ended.status).toBe("interrupted");
  expect(textOf(ended).replaceAll("*", "")).toBe("");
});

test("a layer around the decision holds for a call by hand, too, in a session's name and without one", async () => {
  const hooks = hooksOf("strict", "on_check_permission");
  const { session, call } = await open({ hooks, tools: [PAY], permission: ALLOW });
  const { agent_id, id: session_id } = session;
  const byHand = (json: object) =>
    ask("POST", `/v1/agents/${agent_id}/tools/pay/call`, { ...call, json });

  for (const where of [{}, { session_id }]) {
    const { status, json } = await byHand({ input: { to: "x" }, ...where });
    expect([status, json]).toMatchObject([403, { code: "denied_by_rule", detail: "Never." }]);
  }
});
