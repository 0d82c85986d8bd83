import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import type { SessionRule } from "../../../protocol/permission/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import {
  ask,
  makeAgent,
  makeSession,
  makeTenant,
  openSession,
  refusalOf,
  type Call,
} from "../support/api.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";

const SLOW = { provider: "scripted", parameters: { tokens_per_second: 5 } };
const ASKING = {
  name: "Refund desk",
  tools: [{ type: "http", name: "lookup_order", url: FAILING_TOOL_URL }],
};
const RULE = { tool_name: "refund_order", rule_content: null, behavior: "deny", source: "shop" };

function say(path: string, call: Call, id: string, more: object = {}) {
  const json = { input: { id, content: `Hello, this is ${id}` }, ...more };
  return ask<Reply>("POST", `${path}/replies`, { ...call, json });
}

function fork(path: string, call: Call, json: object) {
  return ask<Session>("POST", `${path}/fork`, { ...call, json });
}

async function messagesOf(id: string, call: Call): Promise<readonly Msg[]> {
  return (await ask<Page<Msg>>("GET", `/v1/sessions/${id}/messages?limit=100`, call)).json.data;
}

describe("a fork", () => {
  test("has the conversation as its own log, and the source stays as it is", async () => {
    const { call, path, session, agent } = await openSession();
    await say(path, call, "first");
    const second = await say(path, call, "second");
    const before = (await ask<Session>("GET", path, call)).json;

    const { status, headers, json } = await fork(path, call, {});

    const messages = await messagesOf(session.id, call);
    const events = await ask<Page<LoggedEvent>>("GET", `/v1/sessions/${json.id}/events`, call);
    expect([status, headers.get("Location"), json]).toEqual([
      201,
      `/v1/sessions/${json.id}`,
      {
        ...before,
        id: expect.stringMatching(/^ses_/),
        created_at: expect.any(String),
        agent_id: agent.id,
        cursor: 4,
        forked_from: {
          session_id: session.id,
          message_id: second.json.id,
          cursor: second.json.cursor,
        },
      },
    ]);
    expect(await messagesOf(json.id, call)).toEqual(messages);
    expect(events.json.data.map(({ seq, type }) => [seq, type])).toEqual(
      [1, 2, 3, 4].map((seq) => [seq, "CUSTOM"]),
    );
    expect((await ask<Session>("GET", path, call)).json).toEqual(before);
  });

  test.each<[string, (first: Reply, second: Reply) => string | number | undefined, unknown]>([
    ["an answer", ({ id }) => id, { n: 1 }],
    ["a user's message", () => "second", { n: 2 }],
    ["the position of an answer's end", ({ cursor }) => cursor, { n: 1 }],
    ["the position of a change", ({ cursor }) => cursor + 1, { n: 2 }],
    ["the beginning", () => 0, {}],
    ["its end", () => undefined, { n: 3 }],
  ])("at %s has the shared state as it was there", async (_, at, expected) => {
    const { call, path } = await openSession();
    const share = (n: number) => {
      const json = [{ op: "add", path: "/n", value: n }];
      return ask("PATCH", `${path}/shared-state`, { ...call, json });
    };
    await share(1);
    const first = await say(path, call, "first");
    await share(2);
    const second = await say(path, call, "second");
    await share(3);

    const { json } = await fork(path, call, { at: at(first.json, second.json) });

    const shared = await ask<SharedState>("GET", `/v1/sessions/${json.id}/shared-state`, call);
    const version = JSON.stringify(expected) === "{}" ? 0 : 1;
    expect(shared.json).toMatchObject({ state: expected, version });
  });

  test("is listed with its source, and goes its own way", async () => {
    const { call, path, session } = await openSession();
    await say(path, call, "first");
    const { json } = await fork(path, call, { end_user_id: "ann", metadata: { try: 2 } });

    await say(`/v1/sessions/${json.id}`, call, "second");

    const list = await ask<Page<SessionSummary>>("GET", "/v1/sessions?end_user_id=ann", call);
    expect(
      list.json.data.map(({ id, forked_from, metadata }) => [id, forked_from, metadata]),
    ).toEqual([[json.id, json.forked_from, { try: 2 }]]);
    expect([
      (await messagesOf(json.id, call)).length,
      (await messagesOf(session.id, call)).length,
    ]).toEqual([4, 2]);
  });

  test.each<[string, (first: Reply) => string | number, readonly string[]]>([
    ["a user's message", () => "second", ["first", "answer", "second"]],
    ["an answer", ({ id }) => id, ["first", "answer"]],
    ["the position of an answer's end", ({ cursor }) => cursor, ["first", "answer"]],
    ["a position inside an answer", ({ cursor }) => cursor - 1, ["first"]],
    ["the beginning", () => 0, []],
  ])("ends at %s", async (_, at, expected) => {
    const { call, path } = await openSession();
    const first = await say(path, call, "first");
    await say(path, call, "second");

    const { json } = await fork(path, call, { at: at(first.json) });

    const copied = await messagesOf(json.id, call);
    expect(copied.map(({ id, role }) => (role === "user" ? id : "answer"))).toEqual(expected);
    expect(json.forked_from?.message_id).toEqual(copied.at(-1)?.id ?? null);
  });

  test("of a running session leaves the open answer out, and refuses to end at it", async () => {
    const { call, path } = await openSession({ name: "Slow", model: SLOW });
    const reply = await say(path, call, "first", { background: true });

    const whole = await fork(path, call, {});
    const refused = await ask("POST", `${path}/fork`, { ...call, json: { at: reply.json.id } });

    expect((await messagesOf(whole.json.id, call)).map(({ id }) => id)).toEqual(["first"]);
    expect([whole.json.status, refusalOf(refused)]).toEqual([
      "idle",
      { status: 409, code: "reply_running", pointers: undefined },
    ]);
    await ask("POST", `${path}/interrupt`, call);
  });

  test("of a session that waits holds nothing that waits", BROAD, async () => {
    const { call, path } = await openSession(ASKING);
    const json = { input: { id: "first", content: "Where is A-1001?" } };
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });

    const whole = await fork(path, call, {});
    const refused = await ask("POST", `${path}/fork`, { ...call, json: { at: reply.json.id } });

    expect([reply.json.status, whole.json.status, whole.json.pending]).toEqual([
      "awaiting_permission",
      "idle",
      [],
    ]);
    expect((await messagesOf(whole.json.id, call)).map(({ id }) => id)).toEqual(["first"]);
    expect(refusalOf(refused).code).toBe("reply_awaiting");
  });

  test("takes the source's permission along, for a key that may write it", async () => {
    const { call, path } = await openSession();
    await ask("POST", `${path}/permission-rules`, { ...call, json: { rules: [RULE] } });
    await ask("PATCH", path, {
      ...call,
      json: { permission: { mode: "explore" }, working_directories: ["/srv"], time_zone: "UTC" },
    });
    const scopes = ["sessions:write", "sessions:read"];
    const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });

    const refused = await ask("POST", `${path}/fork`, { key: narrow.json.api_key, json: {} });
    const { json } = await fork(path, call, {});

    const rules = await ask<Page<SessionRule>>(
      "GET",
      `/v1/sessions/${json.id}/permission-rules`,
      call,
    );
    expect([refused.json.code, refused.json["required_scope"]]).toEqual([
      "insufficient_scope",
      "permission_rules:write",
    ]);
    expect([json.permission, json.working_directories, json.time_zone]).toEqual([
      { mode: "explore" },
      ["/srv"],
      "UTC",
    ]);
    expect(rules.json.data).toMatchObject([RULE]);
  });

  test("runs another version of the agent when asked", BROAD, async () => {
    const { call, path, agent } = await openSession();
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "Second" } });

    const versions = [
      await fork(path, call, {}),
      await fork(path, call, { agent_version: 2 }),
      await fork(path, call, { agent_version: "latest" }),
    ].map(({ json }) => [json.agent_version, json.follows_latest]);
    const missing = await ask("POST", `${path}/fork`, { ...call, json: { agent_version: 3 } });

    expect(versions).toEqual([
      [1, false],
      [2, false],
      [1, true],
    ]);
    expect(refusalOf(missing)).toEqual({
      status: 404,
      code: "not_found",
      pointers: ["#/agent_version"],
    });
  });

  test("carries no credential on that was deleted since its source was opened", async () => {
    const { call } = await makeTenant();
    const allowed_hosts = ["shop.example"];
    const secret = { name: "Shop", type: "tool", secret: "shop-token", allowed_hosts };
    const { json: credential } = await ask<Credential>("POST", "/v1/credentials", {
      ...call,
      json: secret,
    });
    const tool = { type: "http", name: "look_up", url: "https://shop.example/look-up" };
    const agent = await makeAgent(call, {
      name: "Refund desk",
      tools: [{ ...tool, credential_id: credential.id }],
    });
    const session = await makeSession(call, { agent_id: agent.id });
    const path = `/v1/sessions/${session.id}`;
    await ask("DELETE", `/v1/credentials/${credential.id}`, call);

    const refused = await ask("POST", `${path}/fork`, { ...call, json: {} });
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { tools: [tool] } });
    const others = [
      await fork(path, call, { agent_version: 2 }),
      await fork(path, call, { agent_version: "latest" }),
    ];

    expect([refused.status, refused.json.code, refused.json["agent_pointer"]]).toEqual([
      409,
      "conflict",
      "#/tools/0/credential_id",
    ]);
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
  });

  test("copies a conversation of many batches whole", BROAD, async () => {
    const { call, path, session } = await openSession();
    const text = "x".repeat(40_000);
    for (let batch = 0; batch < 4; batch += 1) {
      const messages = Array.from({ length: 25 }, (_, index) => {
        return { id: `note-${batch}-${index}`, content: text };
      });
      await ask("POST", `${path}/observe`, { ...call, json: { messages } });
    }

    const { json } = await fork(path, call, {});

    expect(json.cursor).toBe(100);
    expect(await messagesOf(json.id, call)).toEqual(await messagesOf(session.id, call));
  });

  test.each<[string, object, { status: number; code: string; pointers?: string[] }]>([
    [
      "a message that is not there",
      { at: "nobody" },
      { status: 404, code: "not_found", pointers: ["#/at"] },
    ],
    [
      "a position beyond the log",
      { at: 9_999 },
      { status: 400, code: "cursor_ahead", pointers: ["#/at"] },
    ],
    ["an unknown field", { to: 1 }, { status: 400, code: "validation_failed", pointers: ["#/to"] }],
  ])("refuses %s, and lists nothing", async (_, json, refusal) => {
    const { call, path, session } = await openSession();

    const answer = await ask("POST", `${path}/fork`, { ...call, json });

    const list = await ask<Page<SessionSummary>>("GET", "/v1/sessions", call);
    expect(refusalOf(answer)).toEqual(refusal);
    expect(list.json.data.map(({ id }) => id)).toEqual([session.id]);
  });

  test("of a session whose agent was deleted is refused", async () => {
    const { call, path, agent } = await openSession();
    await ask("DELETE", `/v1/agents/${agent.id}`, call);

    const answer = await ask("POST", `${path}/fork`, { ...call, json: {} });

    expect(refusalOf(answer)).toEqual({ status: 409, code: "conflict", pointers: undefined });
  });
});
