// Untrusted content through the life of a session: results from outside, summaries, forks, exports and imports.
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { Decision, RuleTestResult } from "../../../protocol/permission/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";
import { externalResults } from "../support/parked-session.ts";
import { summarising } from "../support/summarised-agent.ts";

const TRANSFER = "/call transfer {}\n/say Done.";
const LOOKING = { type: "external", read_only: true };
const DESK = {
  name: "Desk",
  tools: [
    { ...LOOKING, name: "read_mail", returns_untrusted: true },
    { ...LOOKING, name: "read_orders" },
    { type: "http", name: "transfer", url: FAILING_TOOL_URL, sink: true },
  ],
  permission: { rules: [{ tool_name: "transfer", behavior: "allow" }] },
};

async function openDesk(more: object = {}) {
  const { call, id: tenantId } = await makeTenant();
  const agent = await makeAgent(call, { ...DESK, ...more });
  const session = await makeSession(call, { agent_id: agent.id });
  return { tenantId, call, agent, session, path: `/v1/sessions/${session.id}` };
}

async function say(path: string, call: Call, input: string): Promise<Reply> {
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json;
}

/** Reads with a tool whose result comes from outside; the reply ends with it. */
async function read(
  path: string,
  call: Call,
  tool: string,
  output: unknown = "Hello",
): Promise<Reply> {
  const reply = await say(path, call, `/call ${tool} {}\n/say Read.`);
  const json = externalResults(reply, reply.pending, output);
  await ask("POST", `${path}/events`, { ...call, json });
  const now = () => ask<Reply>("GET", `${path}/replies/${reply.id}`, call);
  await expect.poll(async () => (await now()).json.status).toBe("completed");
  return (await now()).json;
}

/** Whether a transfer asks now, and what the question says. It is not allowed. */
async function questionOf(path: string, call: Call): Promise<string | null> {
  const { status, pending } = await say(path, call, TRANSFER);
  if (status !== "awaiting_permission") return null;
  await ask("POST", `${path}/interrupt`, { ...call, json: {} });
  return pending[0]?.question ?? "";
}

async function eventsOf(path: string, call: Call): Promise<readonly LoggedEvent[]> {
  return (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call)).json.data;
}

async function stateOf(path: string, call: Call): Promise<AgentState> {
  return (await ask<AgentState>("GET", `${path}/state`, call)).json;
}

const NAMED = "Run `transfer`? (Untrusted content: the result of read_mail)";

describe("an untrusted result from outside", () => {
  test("is marked from its start on, and makes a transfer of a later reply ask", async () => {
    const { call, path } = await openDesk();
    const before = await questionOf(path, call);
    const { message } = await read(path, call, "read_mail");
    const result = message?.content.find(({ type }) => type === "tool_result");
    const source = { tool_name: "read_mail", tool_call_id: result?.id };
    const events = await eventsOf(path, call);
    const marks = events.flatMap((event) =>
      "tool_call_id" in event && event.tool_call_id === result?.id
        ? [[event.type, event.metadata["untrusted"]]]
        : [],
    );

    expect([before, await questionOf(path, call)]).toEqual([null, NAMED]);
    expect(marks).toEqual(
      expect.arrayContaining([
        ["TOOL_RESULT_START", source],
        ["TOOL_RESULT_END", source],
      ]),
    );
    expect(result).toMatchObject({ metadata: { untrusted: source } });
  });

  test("is in the question's event, the record of decisions, and the test of rules", async () => {
    const { call, path } = await openDesk();
    const rules = () =>
      ask<RuleTestResult>("POST", `${path}/permission-rules/test`, {
        ...call,
        json: { tool_name: "transfer" },
      });
    const before = await rules();
    const { message } = await read(path, call, "read_mail");
    const result = message?.content.find(({ type }) => type === "tool_result");
    const after = await rules();
    await say(path, call, TRANSFER);
    const decisions = await ask<Page<Decision>>("GET", `${path}/decisions?limit=1`, call);
    const asked = (await eventsOf(path, call)).find(({ type }) => type === "REQUIRE_USER_CONFIRM");
    const reason = "Untrusted content: the result of read_mail";

    expect(before.json).toMatchObject({ behavior: "allow" });
    expect(after.json).toEqual({ behavior: "ask", reason, rule: null, suggested_rules: [] });
    expect(decisions.json.data).toMatchObject([{ behavior: "ask", reason, rule: null }]);
    expect(Object.values(asked?.metadata["untrusted"] ?? {})).toEqual([
      [{ tool_name: "read_mail", tool_call_id: result?.id }],
    ]);
  });

  test("cannot be made trusted, nor a trusted one untrusted, by who posts it", async () => {
    const { call, path } = await openDesk();
    const reply = await say(path, call, "/call read_orders {}\n/say Read.");
    const claimed = { untrusted: { tool_name: "x", tool_call_id: "y" }, page: 1 };
    const event = externalResults(reply, reply.pending);
    const execution_results = event.execution_results.map((one) => ({ ...one, metadata: claimed }));
    await ask("POST", `${path}/events`, { ...call, json: { ...event, execution_results } });
    const now = () => ask<Reply>("GET", `${path}/replies/${reply.id}`, call);
    await expect.poll(async () => (await now()).json.status).toBe("completed");
    const result = (await now()).json.message?.content.find(({ type }) => type === "tool_result");

    expect(result).toMatchObject({ metadata: { page: 1 } });
    expect(result).not.toHaveProperty("metadata.untrusted");
    expect(await questionOf(path, call)).toBeNull();
  });

  test("read again with read_tool_result names the call that brought it in", async () => {
    const context = { context: { tool_result_limit: 1_000 } };
    const { call, path } = await openDesk(context);
    const first = await read(path, call, "read_mail", "Hello ".repeat(4_000));
    const id = first.message?.content.find(({ type }) => type === "tool_result")?.id;
    const input = JSON.stringify({ tool_call_id: id, length: 10 });
    const again = await say(path, call, `/call read_tool_result ${input}\n/say Read.`);
    const result = again.message?.content.find(({ type }) => type === "tool_result");

    expect(result).toMatchObject({
      state: "success",
      metadata: { untrusted: { tool_name: "read_mail", tool_call_id: id } },
    });
  });
});

describe("a summary of untrusted content", () => {
  test("is not trusted either, with the same source, and says which results are in it", async () => {
    const { call, path } = await openDesk(summarising());
    await read(path, call, "read_mail");
    for (const input of ["/say two", "/say three", "/say four"]) {
      await say(path, call, input);
    }
    await ask("POST", `${path}/compress`, { ...call, json: {} });
    const compressed = (await eventsOf(path, call)).find(
      (event) => event.type === "CUSTOM" && event.name === "context_compressed",
    );
    const { context, middle_context } = await stateOf(path, call);

    expect(compressed).toMatchObject({ value: { untrusted_results: [expect.any(String)] } });
    expect(JSON.stringify(context)).not.toContain("tool_result");
    expect(middle_context["untrusted_content"]).toMatchObject({ results: [{ place: "summary" }] });
    expect(await questionOf(path, call)).toBe(NAMED);
  });

  test("is not made where messages leave without one: the rule holds again", BROAD, async () => {
    const small = { context_size: 1_000, token_counter: "estimate", keep_recent: 1 };
    const { call, path } = await openDesk({ context: { ...small, compression_enabled: false } });
    await read(path, call, "read_mail");
    const before = await questionOf(path, call);
    for (let turn = 0; turn < 4; turn += 1) {
      await say(path, call, `/say ${"word ".repeat(120)}`);
    }
    const truncated = (await eventsOf(path, call)).filter(
      (event) => event.type === "CUSTOM" && event.name === "context_truncated",
    );

    expect(truncated).toMatchObject([{ value: { untrusted_results: [expect.any(String)] } }]);
    expect([before, await questionOf(path, call)]).toEqual([NAMED, null]);
  });
});

describe("a fork", () => {
  test("has the untrusted content that its messages have, and no more", async () => {
    const { call, path } = await openDesk();
    const { id: at } = await say(path, call, "/say one");
    await read(path, call, "read_mail");
    const forked = async (json: object) => {
      const made = await ask<Session>("POST", `${path}/fork`, { ...call, json });
      return questionOf(`/v1/sessions/${made.json.id}`, call);
    };

    expect([await forked({}), await forked({ at })]).toEqual([NAMED, null]);
  });
});

describe("an imported state", () => {
  async function imported(opened: Awaited<ReturnType<typeof openDesk>>, json: object) {
    const { call, agent } = opened;
    const target = `/v1/sessions/${(await makeSession(call, { agent_id: agent.id })).id}`;
    const { status, text } = await ask("PUT", `${target}/state`, { ...call, json });
    if (status >= 300) throw new Error(text);
    return { target, question: await questionOf(target, call) };
  }

  test("is what its export says, with untrusted content and without", async () => {
    const opened = await openDesk();
    const { call, path } = opened;
    await read(path, call, "read_orders");
    const clean = await stateOf(path, call);
    await read(path, call, "read_mail");
    const tainted = await stateOf(path, call);

    expect(clean.middle_context["untrusted_content"]).toEqual({ results: [] });
    expect((await imported(opened, clean)).question).toBeNull();
    expect((await imported(opened, tainted)).question).toBe(NAMED);
  });

  test("that says nothing of it is not trusted: every result and the summary", BROAD, async () => {
    const opened = await openDesk();
    const { call, path } = opened;
    await read(path, call, "read_orders");
    const { context } = await stateOf(path, call);
    const broken = { untrusted_content: { results: "none" } };

    expect([
      (await imported(opened, { context })).question,
      (await imported(opened, { context, middle_context: broken })).question,
      (await imported(opened, { summary: "Ann ordered a lamp." })).question,
      (await imported(opened, { context: context.slice(0, 1) })).question,
    ]).toEqual([
      "Run `transfer`? (Untrusted content: the result of read_orders)",
      "Run `transfer`? (Untrusted content: the result of read_orders)",
      "Run `transfer`? (Untrusted content: the result of the imported summary)",
      null,
    ]);
  });
});

describe("another tenant", () => {
  test("learns nothing of it, and its sessions have none of it", async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    await read(one.path, one.call, "read_mail");
    const not_found = { status: 404, code: "not_found", pointers: undefined };
    const answers = await Promise.all(
      ["state", "decisions", "events"].map((what) => ask("GET", `${one.path}/${what}`, other.call)),
    );
    const forked = await ask("POST", `${one.path}/fork`, { ...other.call, json: {} });

    expect([...answers, forked].map(refusalOf)).toEqual(Array.from({ length: 4 }, () => not_found));
    expect(await questionOf(other.path, other.call)).toBeNull();
  });
});

describe("permission.bypass_untrusted", () => {
  test("needs the scope of the mode bypass, and not where it is set already", async () => {
    const { call } = await makeTenant();
    const scopes = SCOPES.filter((scope) => scope !== "permission_bypass:write");
    const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
    const narrow = { key: made.json.api_key };
    const permission = { bypass_untrusted: true };
    const json = { ...DESK, permission };
    const refused = await ask("POST", "/v1/agents", { ...narrow, json });
    const agent = await makeAgent(call, json);
    const path = `/v1/agents/${agent.id}`;
    const kept = { permission: { ...permission, rules: [] } };
    const off = { permission: { bypass_untrusted: false } };
    const statuses = [];
    for (const change of [kept, off, kept]) {
      statuses.push((await ask("PATCH", path, { ...narrow, json: change })).status);
    }

    expect([refused.status, refused.json["required_scope"]]).toEqual([
      403,
      "permission_bypass:write",
    ]);
    expect(statuses).toEqual([200, 200, 403]);
  });

  test("holds for a session in mode bypass, and for no session in another mode", async () => {
    const permission = { ...DESK.permission, bypass_untrusted: true };
    const { call, agent, path } = await openDesk({ permission });
    await read(path, call, "read_mail");
    const asked = await questionOf(path, call);
    const mode = { permission: { mode: "bypass" } };
    const session = await makeSession(call, { agent_id: agent.id, ...mode });
    const free = `/v1/sessions/${session.id}`;
    await read(free, call, "read_mail");

    expect([asked, await questionOf(free, call)]).toEqual([NAMED, null]);
  });
});
