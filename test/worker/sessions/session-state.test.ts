// Sessions as AgentStates, out and in.
import { describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeSession, openSession, refusalOf, type Call } from "../support/api.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";

const TOOL = { type: "http", name: "lookup_order", url: FAILING_TOOL_URL, read_only: true };
const AT = "2026-01-01T00:00:00";
const RULES = [
  { tool_name: "refund_order", rule_content: null, behavior: "deny", source: "shop" },
  { tool_name: "lookup_order", rule_content: null, behavior: "allow", source: "shop" },
];

function stateOf(path: string, call: Call) {
  return ask<AgentState>("GET", `${path}/state`, call);
}

function bring(path: string, call: Call, json: object) {
  return ask<AgentState>("PUT", `${path}/state`, { ...call, json });
}

async function another(agentId: string, call: Call): Promise<string> {
  return `/v1/sessions/${(await makeSession(call, { agent_id: agentId })).id}`;
}

const call = (id: string, more: object = {}) => {
  return { type: "tool_call", id, name: "lookup_order", input: "{}", created_at: AT, ...more };
};
const result = (id: string, more: object = {}) => {
  return { type: "tool_result", id, name: "lookup_order", output: "found", ...more };
};

describe("the shared state", () => {
  const share = (path: string, key: Call, n: number) =>
    ask("PATCH", `${path}/shared-state`, { ...key, json: [{ op: "add", path: "/n", value: n }] });
  const sharedOf = async (path: string, key: Call) =>
    (await ask<SharedState>("GET", `${path}/shared-state`, key)).json;

  test("goes out with a session's state and comes in as a first version, before the messages", async () => {
    const { call: key, path, agent } = await openSession();
    await share(path, key, 1);
    await share(path, key, 2);
    await ask("POST", `${path}/replies`, { ...key, json: { input: "Hi" } });
    const { json } = await stateOf(path, key);
    const other = await another(agent.id, key);

    const brought = await bring(other, key, json);

    const { json: events } = await ask<Page<LoggedEvent>>("GET", `${other}/events`, key);
    expect(json.middle_context).toMatchObject({ shared_state: { state: { n: 2 }, version: 2 } });
    expect(brought.json.middle_context).toMatchObject({
      shared_state: { state: { n: 2 }, version: 1 },
    });
    expect(await sharedOf(other, key)).toEqual({ state: { n: 2 }, version: 1, cursor: 3 });
    expect(events.data.map((event) => (event as { name?: string }).name)).toEqual([
      "ability_state",
      "message_added",
      "message_added",
    ]);
    expect((await bring(other, key, json)).status).toBe(200);
  });

  test("of a session stays when a state comes in", async () => {
    const { call: key, path, agent } = await openSession();
    const other = await another(agent.id, key);
    await share(path, key, 1);
    await share(other, key, 2);
    await bring(other, key, (await stateOf(path, key)).json);

    expect(await sharedOf(other, key)).toMatchObject({ state: { n: 2 }, version: 1 });
  });

  test("is not taken where it does not fit the agent's schema", async () => {
    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
    const { call: key, path } = await openSession({
      name: "Refund desk",
      shared_state: { enabled: true, schema },
    });
    const bringState = (state: object) =>
      bring(path, key, { middle_context: { shared_state: { state, version: 1 } } });
    await bringState({ n: "one" });
    const before = await sharedOf(path, key);
    await bringState({ n: 1 });

    expect(before).toMatchObject({ state: {}, version: 0 });
    expect(await sharedOf(path, key)).toMatchObject({ state: { n: 1 }, version: 1 });
  });

  test.each([
    ["no object", []],
    ["a name of a prototype", JSON.parse('{"__proto__":1}')],
    ["more than a state may have", { a: "x".repeat(70_000) }],
  ])("is not taken from %s", async (_, state) => {
    const { call: key, path } = await openSession();
    const shared_state = { state, version: 1 };
    const { status } = await bring(path, key, { middle_context: { shared_state, other: 1 } });

    expect([status, (await sharedOf(path, key)).version]).toEqual([200, 0]);
  });
});

describe("a session's state", () => {
  test("of an empty session is that of a new agent", async () => {
    const { call: key, path, session } = await openSession();

    expect((await stateOf(path, key)).json).toEqual({
      session_id: session.id,
      summary: "",
      context: [],
      context_truncated: false,
      reply_context: {
        reply_id: "",
        cur_iter: 0,
        structured_schema: null,
        structured_output: null,
      },
      permission_context: {
        mode: "default",
        working_directories: {},
        allow_rules: {},
        deny_rules: {},
        ask_rules: {},
      },
      tool_context: {
        max_cache_files: 100,
        max_cache_bytes: 25_000,
        read_file_cache: [],
        activated_groups: [],
      },
      tasks_context: { tasks: [] },
      middle_context: { untrusted_content: { results: [] } },
    });
  });

  test("out, in and out again is the same but for the session's id", async () => {
    const { call: key, path, agent } = await openSession({ name: "Refund desk", tools: [TOOL] });
    await ask("POST", `${path}/replies`, { ...key, json: { input: "Where is A-1001?" } });
    await ask("POST", `${path}/permission-rules`, { ...key, json: { rules: RULES } });
    await ask("PATCH", path, {
      ...key,
      json: { permission: { mode: "explore" }, working_directories: ["/srv/shop"] },
    });
    const out = (await stateOf(path, key)).json;
    const target = await another(agent.id, key);

    const brought = await bring(target, key, out);

    const again = (await stateOf(target, key)).json;
    expect(brought.json).toEqual(again);
    expect(again).toEqual({ ...out, session_id: again.session_id });
    expect(again.context[1]!.content.map(({ type }) => type)).toContain("tool_result");
    expect(again.permission_context).toEqual({
      mode: "explore",
      working_directories: { "/srv/shop": { path: "/srv/shop", source: "session" } },
      allow_rules: { lookup_order: [RULES[1]] },
      deny_rules: { refund_order: [RULES[0]] },
      ask_rules: {},
    });
  });

  test("brought in twice is brought in once; another one is refused", async () => {
    const { call: key, path } = await openSession();
    const content = [{ type: "text", text: "Hi" }];
    const state = {
      summary: "They met before.",
      context: [{ name: "user", role: "user", id: "a", content }],
    };
    const first = await bring(path, key, state);

    const again = await bring(path, key, state);
    const others = [
      await bring(path, key, { ...state, context: [{ ...state.context[0], id: "b" }] }),
      await bring(path, key, { ...state, permission_context: { mode: "bypass" } }),
    ];

    expect(again.json).toEqual(first.json);
    expect(others.map((other) => refusalOf(other as never))).toEqual(
      others.map(() => ({ status: 409, code: "conflict", pointers: undefined })),
    );
  });

  test("shows the reply that waits, and its calls are closed where it is brought in", async () => {
    const tools = [{ ...TOOL, read_only: false }];
    const { call: key, path, agent } = await openSession({ name: "Refund desk", tools });
    const input = "Where is A-1001?";
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...key, json: { input } });
    const out = (await stateOf(path, key)).json;
    const target = await another(agent.id, key);

    const brought = (await bring(target, key, out)).json;

    const session = (await ask<Session>("GET", target, key)).json;
    expect([out.reply_context.reply_id, out.reply_context.cur_iter]).toEqual([reply.json.id, 0]);
    expect([session.status, session.pending, brought.reply_context.reply_id]).toEqual([
      "idle",
      [],
      "",
    ]);
    const states = brought.context.at(-1)!.content.map((block) => "state" in block && block.state);
    expect(states.slice(-2)).toEqual(["finished", "interrupted"]);
  });

  test("brought in again without the ids and times that it lacks is the same", async () => {
    const { call: key, path } = await openSession();
    const text = { type: "text", text: "found" };
    const blocks = [
      { type: "thinking", thinking: "Hm." },
      { type: "hint", hint: [text], source: "runtime" },
      { type: "tool_call", id: "c", name: "lookup_order", input: "{}" },
      { type: "tool_result", id: "c", name: "lookup_order", output: [text], state: "success" },
    ];
    const stateOf = (content: object[]) => {
      return { context: [{ name: "a", role: "assistant", id: "a", content }] };
    };
    const first = await bring(path, key, stateOf(blocks));

    const again = await bring(path, key, stateOf(blocks));
    const others = await Promise.all([
      bring(path, key, stateOf([{ type: "thinking", thinking: "Oh." }, ...blocks.slice(1)])),
      bring(path, key, stateOf([...blocks.slice(0, 3), { ...blocks[3], output: "lost" }])),
      bring(path, key, stateOf([...blocks.slice(0, 2), call("d"), result("d")])),
    ]);

    expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
    expect(others.map(({ status }) => status)).toEqual([409, 409, 409]);
  });

  test("with a rule that comes twice has it once", async () => {
    const { call: key, path } = await openSession();
    const rule = { ...RULES[1], rule_content: "" };
    const permission_context = { allow_rules: { lookup_order: [RULES[1], rule, RULES[1]] } };

    const { json } = await bring(path, key, { permission_context });

    expect(json.permission_context.allow_rules).toEqual({ lookup_order: [RULES[1]] });
  });

  test("takes older names, results in messages of their own, and a summary", async () => {
    const { call: key, path } = await openSession();

    const { json } = await bring(path, key, {
      session_id: "elsewhere",
      reply_id: "r",
      cur_iter: 3,
      summary: "They talked about shoes.",
      context: [
        {
          role: "USER",
          id: "u",
          timestamp: "2026-01-01 00:00:00.000",
          content: [{ type: "text", text: "Hi" }],
        },
        {
          role: "ASSISTANT",
          id: "a",
          content: [
            { type: "tool_use", id: "c1", name: "lookup_order", input: { order_id: "A-1" } },
          ],
        },
        { role: "TOOL", id: "t", content: [result("c1", { state: "success" })] },
      ],
    });

    expect(json.context.map(({ role, name }) => [role, name])).toEqual([
      ["user", "user"],
      ["assistant", "assistant"],
    ]);
    expect(json.summary).toBe("They talked about shoes.");
    expect(json.context[1]!.content).toMatchObject([
      { type: "tool_call", id: "c1", input: '{"order_id":"A-1"}', state: "finished" },
      { type: "tool_result", id: "c1", output: "found", state: "success" },
    ]);
  });

  test("with permission needs the scope for rules; without any it does not", async () => {
    const { call: key, path, agent } = await openSession();
    const scopes = ["sessions:read", "sessions:write"];
    const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...key, json: { scopes } });
    const narrow = { key: made.json.api_key };
    const target = await another(agent.id, key);

    const answers = [
      await bring(path, narrow, { permission_context: { mode: "dont_ask" } }),
      await bring(path, narrow, {
        permission_context: { allow_rules: { lookup_order: [RULES[1]] } },
      }),
      await bring(path, narrow, {
        permission_context: { working_directories: { "/": { path: "/", source: "x" } } },
      }),
      await stateOf(path, narrow),
    ];
    const plain = await bring(target, narrow, { permission_context: { mode: "default" } });

    expect(
      answers.map(({ json }) => {
        const { code, required_scope } = json as unknown as Record<string, unknown>;
        return [code, required_scope];
      }),
    ).toEqual([
      ["insufficient_scope", "permission_rules:write"],
      ["insufficient_scope", "permission_rules:write"],
      ["insufficient_scope", "permission_rules:write"],
      ["insufficient_scope", "permission_rules:read"],
    ]);
    expect([plain.status, (await stateOf(path, key)).json.permission_context.mode]).toEqual([
      200,
      "default",
    ]);
  });

  test.each<[string, object, string]>([
    [
      "a system message",
      {
        context: [
          { name: "s", role: "system", id: "s", content: [{ type: "text", text: "Obey" }] },
        ],
      },
      "#/context/0/role",
    ],
    [
      "a user's tool call",
      { context: [{ name: "u", role: "user", id: "u", content: [call("c")] }] },
      "#/context/0/content/0/type",
    ],
    [
      "a result without a call",
      { context: [{ name: "a", role: "assistant", id: "a", content: [result("c")] }] },
      "#/context/0/content/0",
    ],
    [
      "an id that comes twice",
      {
        context: [
          { name: "u", role: "user", id: "u", content: [] },
          { name: "u", role: "user", id: "u", content: [] },
        ],
      },
      "#/context/1/id",
    ],
    [
      "a rule in another's place",
      { permission_context: { allow_rules: { lookup_order: [RULES[0]] } } },
      "#/permission_context/allow_rules/lookup_order/0",
    ],
    [
      "a relative directory",
      { permission_context: { working_directories: { srv: { path: "srv", source: "x" } } } },
      "#/permission_context/working_directories/srv",
    ],
    ["an unknown field", { colour: 1 }, "#/colour"],
  ])("refuses %s", async (_, state, pointer) => {
    const { call: key, path } = await openSession();

    const answer = await ask("PUT", `${path}/state`, { ...key, json: state });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });
});
