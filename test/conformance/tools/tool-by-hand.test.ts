// A tool of an agent is called by hand: outside any session.
import { expect, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { CalledTool } from "../../../protocol/tools/tool-calls.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" } },
  required: ["order_id"],
};
const INPUT = { order_id: "A-1" };

interface Asked {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

async function openShop(overrides: object = {}, tool: object = {}) {
  const asked: Asked[] = [];
  const server = await startLoopbackServer(({ headers, body, path }, response) => {
    asked.push({ headers, body: body as Asked["body"] });
    if (path === "/hang") return;
    response.writeHead(path === "/fail" ? 500 : 200, { "content-type": "application/json" });
    response.end(path === "/large" ? `"${"x".repeat(900_000)}"` : '{"state":"delivered"}');
  });
  onTestFinished(() => server.stop());
  const { key, id: tenant } = await createTenant();
  const define = (name: string, more: object = {}) => ({
    type: "http",
    name,
    input_schema: ORDER,
    url: `${server.url}/${name}`,
    ...more,
  });
  const tools = [
    define("look_up", tool),
    define("fail"),
    define("large"),
    define("hang", { timeout_ms: 200 }),
    { type: "external", name: "print_label", input_schema: ORDER },
  ];
  const agent = await createAgent(key, { tools, ...overrides });
  const call = (name: string, body: object, options: object = {}) =>
    request<CalledTool>("POST", `/v1/agents/${agent}/tools/${name}/call`, {
      key,
      body,
      ...options,
    });
  const openSession = async (more: object = {}) => {
    const body = { agent_id: agent, ...more };
    const { body: session } = await request<{ id: string }>("POST", "/v1/sessions", { key, body });
    return session.id;
  };
  return { asked, key, tenant, agent, call, openSession };
}

test("a tool is called once with the input, its result comes back as a block, and the audit has who did it", async () => {
  const { asked, call, agent, key } = await openShop();

  const { status, body } = await call("look_up", { input: INPUT });

  expect([status, body]).toEqual([
    200,
    {
      agent_id: agent,
      version: 1,
      session_id: null,
      permission: { behavior: "ask", reason: "Mode: default", rule: null },
      result: {
        type: "tool_result",
        id: expect.stringMatching(/^call_/),
        name: "look_up",
        output: [expect.objectContaining({ type: "text", text: '{"state":"delivered"}' })],
        state: "success",
        metadata: {},
        created_at: expect.any(String),
        finished_at: expect.any(String),
      },
      is_truncated: false,
      http_status: 200,
      duration_ms: expect.any(Number),
    },
  ]);
  expect(asked.map((one) => one.body)).toEqual([
    {
      tool_call_id: body.result.id,
      name: "look_up",
      input: INPUT,
      session_id: "by_hand",
      reply_id: "by_hand",
      end_user_id: null,
    },
  ]);
  expect(asked[0]?.headers["idempotency-key"]).toBe(`by_hand:${body.result.id}`);
  const audit = await request<Page<AuditEntry>>("GET", "/v1/audit?action=tool.called", { key });
  expect(audit.body.data).toMatchObject([
    { target_id: agent, after: { tool_name: "look_up", tool_call_id: body.result.id, version: 1 } },
  ]);
  // The input is not in it.
  expect(JSON.stringify(audit.body)).not.toContain("A-1");
});

test("in a session's name its version, end user and rules count, and nothing enters the session", async () => {
  const { asked, call, openSession, key, agent } = await openShop();
  const session = await openSession({ end_user_id: "ann" });
  const allow = { tool_name: "look_up", behavior: "allow", rule_content: null };
  const rules = `/v1/sessions/${session}/permission-rules`;
  await request("POST", rules, { key, body: { rules: [allow] } });
  await request("PATCH", `/v1/agents/${agent}`, { key, body: { tools: [] } });
  const before = await request("GET", `/v1/sessions/${session}`, { key });

  const gone = await call("look_up", { input: INPUT });
  const { status, body } = await call("look_up", { input: INPUT, session_id: session });

  expect([gone.status, status]).toEqual([404, 200]);
  expect([body.version, body.session_id, body.permission.behavior]).toEqual([1, session, "allow"]);
  expect(asked.map((one) => one.body)).toMatchObject([
    { session_id: session, reply_id: "by_hand", end_user_id: "ann" },
  ]);
  expect((await request("GET", `/v1/sessions/${session}`, { key })).body).toEqual(before.body);
});

test("what a deny rule forbids, of the agent or of the session, is refused, and nothing is sent", async () => {
  const deny = { tool_name: "look_up", behavior: "deny", rule_content: null };
  const permission = { mode: "default", rules: [{ ...deny, tool_name: "fail" }] };
  const { asked, call, openSession, key } = await openShop({ permission });
  const session = await openSession();
  const rules = `/v1/sessions/${session}/permission-rules`;
  await request("POST", rules, { key, body: { rules: [deny] } });

  const byAgent = await call("fail", { input: INPUT });
  const bySession = await call("look_up", { input: INPUT, session_id: session });

  expect([byAgent.status, byAgent.body]).toMatchObject([
    403,
    { code: "denied_by_rule", rule: { tool_name: "fail", behavior: "deny" } },
  ]);
  expect([bySession.status, bySession.body]).toMatchObject([
    403,
    { code: "denied_by_rule", rule: { tool_name: "look_up", behavior: "deny" } },
  ]);
  expect(asked).toEqual([]);
  const audit = await request<Page<AuditEntry>>("GET", "/v1/audit?action=tool.called", { key });
  expect(audit.body.data).toEqual([]);
});

test("an input that does not fit, a tool that is external or not there, a foreign session and both of version and session are refused", async () => {
  const { asked, call, openSession } = await openShop();
  const other = await openShop();
  const session = await openSession();
  const foreign = await other.openSession();

  const answers = await Promise.all([
    call("look_up", { input: { order_id: 7 } }),
    call("look_up", {}),
    call("print_label", { input: INPUT }),
    call("none", { input: INPUT }),
    call("look_up", { input: INPUT, version: 9 }),
    call("look_up", { input: INPUT, version: 1, session_id: session }),
    call("look_up", { input: INPUT, session_id: foreign }),
    call("look_up", { input: INPUT, session_id: "ses_none" }),
  ]);

  expect(
    answers.map(({ status, body }) => [status, (body as unknown as { code: string }).code]),
  ).toEqual([
    [400, "validation_failed"],
    [400, "validation_failed"],
    [409, "conflict"],
    [404, "not_found"],
    [404, "not_found"],
    [400, "validation_failed"],
    [404, "not_found"],
    [404, "not_found"],
  ]);
  expect(answers[0]?.body).toMatchObject({ errors: [{ pointer: "#/input" }] });
  expect(asked).toEqual([]);
});

test("a tool that fails, hangs or says too much gives a result that says so", async () => {
  const { call } = await openShop();

  const [failed, hung, large] = await Promise.all([
    call("fail", { input: INPUT }),
    call("hang", { input: INPUT }),
    call("large", { input: INPUT }),
  ]);

  expect([failed.status, failed.body.result.state, failed.body.http_status]).toEqual([
    200,
    "error",
    500,
  ]);
  expect([hung.status, hung.body.result.state, hung.body.http_status]).toEqual([
    200,
    "error",
    null,
  ]);
  expect(JSON.stringify(hung.body.result.output)).toContain("did not answer within 200 ms");
  expect([large.body.result.state, large.body.is_truncated]).toEqual(["success", true]);
  expect(JSON.stringify(large.body).length).toBeLessThan(500_000);
});

test("a repeated request with its Idempotency-Key asks the tool once, and another key again", async () => {
  const { asked, call } = await openShop();
  const headers = { "Idempotency-Key": `try-${crypto.randomUUID()}` };

  const first = await call("look_up", { input: INPUT }, { headers });
  const again = await call("look_up", { input: INPUT }, { headers });
  const reused = await call("look_up", { input: { order_id: "B" } }, { headers });
  const other = await call("look_up", { input: INPUT });

  expect([first.status, again.status, reused.status, other.status]).toEqual([200, 200, 422, 200]);
  expect(again.body).toEqual(first.body);
  expect(other.body.result.id).not.toBe(first.body.result.id);
  expect(asked).toHaveLength(2);
});

test("a key without the scope and an end user's token may not, whatever else they may", async () => {
  const { asked, call, key, openSession } = await openShop();
  const scopes = ["agents:read", "agents:write", "sessions:write", "replies:write"];
  const narrow = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes },
  });
  const session = await openSession();
  const token = await request<{ token: string }>("POST", `/v1/sessions/${session}/tokens`, {
    key,
    body: { verbs: ["read", "reply", "confirm", "edit", "tool_result"], ttl_seconds: 60 },
  });

  const byKey = await call("look_up", { input: INPUT }, { key: narrow.body.api_key });
  const byToken = await call(
    "look_up",
    { input: INPUT, session_id: session },
    { key: token.body.token },
  );

  expect([byKey.status, byKey.body]).toMatchObject([
    403,
    { code: "insufficient_scope", required_scope: "tools:call" },
  ]);
  expect([byToken.status, byToken.body]).toMatchObject([403, { code: "insufficient_scope" }]);
  expect(asked).toEqual([]);
});

test(
  "while a reply of an older version waits, the rules of the version whose tool is called hold, too",
  BROAD,
  async () => {
    const { asked, call, openSession, key, agent } = await openShop();
    const session = await openSession();
    const path = `/v1/sessions/${session}`;
    const allow = { tool_name: "print_label", behavior: "allow" };
    await request("POST", `${path}/permission-rules`, { key, body: { rules: [allow] } });
    const input = '/call print_label {"order_id": "A-1"}';
    const waiting = await request<{ status: string }>("POST", `${path}/replies`, {
      key,
      body: { input },
    });
    const rules = [{ tool_name: "look_up", behavior: "deny" }];
    await request("PATCH", `/v1/agents/${agent}`, { key, body: { permission: { rules } } });
    await request("PATCH", path, { key, body: { agent_version: 2 } });

    const denied = await call("look_up", { input: INPUT, session_id: session });

    expect(waiting.body.status).toBe("awaiting_external_result");
    expect([denied.status, denied.body]).toMatchObject([
      403,
      { code: "denied_by_rule", rule: { tool_name: "look_up" } },
    ]);
    expect(asked).toEqual([]);
  },
);
