// Decisions of another permission: about a call without a session, and about the calls of the past.
import { describe, expect, test } from "vitest";

import type { RuleTestResult } from "../../../protocol/permission/contract.ts";
import type { Simulation } from "../../../protocol/decisions/simulation.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { ask, type Call, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  LABEL,
  REFUND,
  REFUND_TOOL,
} from "../support/parked-session.ts";

const allow = (tool_name: string, rule_content: string | null = null) =>
  ({ tool_name, rule_content, behavior: "allow", source: "agent" }) as const;
const deny = (tool_name: string) => ({ ...allow(tool_name), behavior: "deny" }) as const;

async function makeDesk(definition: object = DESK) {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, definition);
  const path = `/v1/agents/${agent.id}/permission-rules`;
  const open = () => makeSession(call, { agent_id: agent.id });
  const say = async ({ id }: Session, input: string): Promise<Reply> =>
    (await ask<Reply>("POST", `/v1/sessions/${id}/replies`, { ...call, json: { input } })).json;
  const simulate = async (json: object): Promise<Simulation> => {
    const {
      status,
      json: found,
      text,
    } = await ask<Simulation>("POST", `${path}/simulate`, {
      ...call,
      json,
    });
    if (status !== 200) throw new Error(text);
    return found;
  };
  return { call, agent, path, open, say, simulate };
}

function interrupt(call: Call, { id }: Session) {
  return ask("POST", `/v1/sessions/${id}/interrupt`, call);
}

const behaviors = ({ data }: Simulation) =>
  data.map(({ tool_name, recorded, before, after }) => [
    tool_name,
    recorded.behavior,
    before.behavior,
    after.behavior,
  ]);

describe("a simulation of another permission", () => {
  test("is for those alone who may read sessions, since it shows inputs", async () => {
    const { call, path, open, say } = await makeDesk();
    await say(await open(), REFUND);
    const outcomes = [];
    for (const scopes of [
      ["permission_rules:read"],
      ["permission_rules:read", "sessions:read"],
    ] as const) {
      const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
      const json = { permission: { mode: "explore" } };
      const { status, json: answer } = await ask<Record<string, unknown>>(
        "POST",
        `${path}/simulate`,
        { key: made.json.api_key, json },
      );
      outcomes.push([status, answer["required_scope"]]);
    }

    expect(outcomes).toEqual([
      [403, "sessions:read"],
      [200, undefined],
    ]);
  });

  test("names the past calls that it decides otherwise, with what was decided and why", async () => {
    const { simulate, open, say } = await makeDesk();
    const session = await open();
    const reply = await say(session, `${REFUND}\n${LABEL}`);
    const rule = allow("refund_order");

    const found = await simulate({ permission: { rules: [rule] } });

    const asked = { behavior: "ask", reason: "Mode: default", rule: null };
    expect(found).toEqual({
      data: [
        {
          session_id: session.id,
          reply_id: reply.id,
          tool_call_id: reply.pending.find(({ kind }) => kind === "permission")!.tool_call.id,
          tool_name: "refund_order",
          decided_at: expect.any(String) as string,
          recorded: asked,
          before: asked,
          after: { behavior: "allow", reason: null, rule },
        },
      ],
      sessions: 1,
      sessions_failed: 0,
      calls: 2,
      calls_skipped: 0,
      has_more: false,
      next_page: null,
    });
  });

  test("sees calls that were allowed without asking, and those that a person answered, once each", async () => {
    const { call, simulate, open, say } = await makeDesk();
    const session = await open();
    const { pending, ...reply } = await say(session, `${REFUND}\n${CANCEL}\n${LABEL}`);
    const [refund, cancel] = pending.filter(({ kind }) => kind === "permission");
    const events = `/v1/sessions/${session.id}/events`;
    await ask("POST", events, { ...call, json: confirmation(reply, [refund!]) });
    const refused = confirmation(reply, [cancel!], { confirmed: false });
    await ask("POST", events, { ...call, json: refused });

    const denied = await simulate({
      permission: { rules: ["refund_order", "cancel_order", "print_label"].map(deny) },
    });
    const same = await simulate({ permission: {} });

    expect(behaviors(denied).toSorted()).toEqual([
      ["cancel_order", "ask", "ask", "deny"],
      ["print_label", "allow", "allow", "deny"],
      ["refund_order", "ask", "ask", "deny"],
    ]);
    expect([same.data, same.calls]).toEqual([[], 3]);
  });

  test("takes a session's rules as they were when the call was decided", async () => {
    const { call, simulate, open, say } = await makeDesk();
    const session = await open();
    const { pending, ...reply } = await say(session, REFUND);
    const json = confirmation(reply, pending, { rules: [allow("refund_order")] });
    await ask("POST", `/v1/sessions/${session.id}/events`, { ...call, json });
    await expect
      .poll(async () => (await ask<Session>("GET", `/v1/sessions/${session.id}`, call)).json.status)
      .toBe("idle");
    await say(session, REFUND);

    const found = await simulate({ permission: { mode: "explore" } });

    expect(behaviors(found)).toEqual([
      ["refund_order", "allow", "allow", "deny"],
      ["refund_order", "ask", "ask", "deny"],
    ]);
  });

  test("compares with the version that is asked for", async () => {
    const { call, agent, simulate, open, say } = await makeDesk();
    await say(await open(), REFUND);
    const permission = { mode: "default", rules: [allow("refund_order")] };
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { permission } });
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { tools: [] } });

    const found = [];
    for (const version of [1, 2, 3]) found.push(await simulate({ version, permission }));

    expect(found.map((one) => [behaviors(one), one.calls, one.calls_skipped])).toEqual([
      [[["refund_order", "ask", "ask", "allow"]], 1, 0],
      [[], 1, 0],
      [[], 0, 1],
    ]);
  });

  test(
    "goes on page by page through sessions, and within one that has decided many calls",
    BROAD,
    async () => {
      const look = { ...REFUND_TOOL, name: "look", read_only: true };
      const { simulate, open, say, call } = await makeDesk({
        name: "Desk",
        tools: [look, REFUND_TOOL],
      });
      const [first, second] = [await open(), await open()];
      await say(first, REFUND);
      for (let turn = 0; turn < 3; turn += 1) {
        const calls = Array.from(
          { length: 80 },
          (_, n) => `/call look {"order_id":"${turn}-${n}"}`,
        );
        const { status } = await say(second, calls.join("\n"));
        expect(status).toBe("completed");
      }
      const permission = { rules: [deny("look"), deny("refund_order")] };

      const pages: Simulation[] = [];
      for (let page: string | null | undefined; page !== null; page = pages.at(-1)!.next_page) {
        pages.push(await simulate({ permission, limit: 1, ...(page && { page }) }));
      }

      expect(pages.map(({ calls, sessions, data }) => [sessions, calls, data.length])).toEqual([
        [1, 200, 200],
        [1, 40, 40],
        [1, 1, 1],
      ]);
      const ids = pages.flatMap(({ data }) => data.map((one) => one.tool_call_id + one.session_id));
      expect(new Set(ids).size).toBe(241);
      await ask("DELETE", `/v1/sessions/${second.id}`, call);
      const page = pages[0]!.next_page;
      expect(await simulate({ permission, limit: 1, page })).toMatchObject({
        sessions: 0,
        sessions_failed: 0,
        calls: 0,
        has_more: true,
      });
    },
  );

  test("looks only at the time that is asked for, and only at sessions of the agent", async () => {
    const { call, simulate, open, say } = await makeDesk();
    const session = await open();
    await say(session, REFUND);
    await interrupt(call, session);
    const other = await makeAgent(call, DESK);
    const elsewhere = await makeSession(call, { agent_id: other.id });
    await say(elsewhere, CANCEL);
    const permission = { rules: [deny("refund_order"), deny("cancel_order")] };
    const { data } = await simulate({ permission });
    const { decided_at } = data[0]!;
    const later = new Date(Date.parse(decided_at) + 1).toISOString();

    const counts = [];
    for (const span of [
      { since: decided_at },
      { since: later },
      { until: decided_at },
      { until: later },
    ]) {
      counts.push((await simulate({ permission, ...span })).calls);
    }

    expect([data.length, counts]).toEqual([1, [1, 0, 0, 1]]);
  });

  test("changes nothing in a session, and wakes no reply", async () => {
    const { call, simulate, open, say } = await makeDesk();
    const session = await open();
    await say(session, REFUND);
    const read = async () => (await ask<Session>("GET", `/v1/sessions/${session.id}`, call)).json;
    const before = await read();

    await simulate({ permission: { mode: "bypass", rules: [allow("refund_order")] } });

    expect(await read()).toEqual(before);
  });

  test(
    "ends a page early where the rules are many and the arguments long, and still goes on",
    BROAD,
    async () => {
      const tool = {
        ...REFUND_TOOL,
        input_schema: { type: "object" },
        rule_argument: "/text",
        rule_syntax: "glob",
      };
      const { simulate, open, say } = await makeDesk({ name: "Desk", tools: [tool] });
      const session = await open();
      const input = `/call refund_order {"text":"${"ab".repeat(50_000)}"}`;
      await say(session, Array.from({ length: 3 }, () => input).join("\n"));
      const rules = Array.from({ length: 1_000 }, (_, n) =>
        allow("refund_order", `*a*${n}*b?a[b]*x`),
      );

      const first = await simulate({ permission: { rules } });
      const second = await simulate({ permission: { rules }, page: first.next_page });

      expect([first.calls, first.has_more, second.calls]).toEqual([1, true, 1]);
    },
  );

  test("is refused with a pointer when it does not fit", async () => {
    const { call, path } = await makeDesk();
    const bodies = [
      [{}, "#/permission"],
      [{ permission: { rules: [{ tool_name: "x" }] } }, "#/permission/rules/0/behavior"],
      [{ permission: { mode: "sometimes" } }, "#/permission/mode"],
      [{ permission: {}, since: "yesterday" }, "#/since"],
      [{ permission: {}, limit: 51 }, "#/limit"],
      [{ permission: {}, page: "x" }, "#/page"],
      [{ permission: {}, page: btoa('[null,[["ses_x",1,1]]]') }, "#/page"],
      [{ permission: {}, more: 1 }, "#/more"],
    ] as const;

    const refusals = [];
    for (const [json] of bodies) {
      refusals.push(refusalOf(await ask("POST", `${path}/simulate`, { ...call, json })));
    }
    const version = { permission: {}, version: 9 };
    refusals.push(refusalOf(await ask("POST", `${path}/simulate`, { ...call, json: version })));

    expect(refusals).toEqual([
      ...bodies.map(([, pointer]) => ({
        status: 400,
        code: "validation_failed",
        pointers: [pointer],
      })),
      { status: 404, code: "not_found", pointers: ["#/version"] },
    ]);
  });
});

describe("a test of an agent's permission", () => {
  test("says what a version decides, or another permission, without a session", async () => {
    const permission = { mode: "default", rules: [deny("cancel_order")] };
    const { call, path } = await makeDesk({ ...DESK, permission });
    const bodies = [
      { tool_name: "cancel_order" },
      { tool_name: "refund_order", input: { order_id: "A-1" } },
      { tool_name: "print_label" },
      { tool_name: "cancel_order", permission: { rules: [allow("cancel_order")] } },
      { tool_name: "refund_order", permission: { mode: "bypass" } },
    ];

    const answers = [];
    for (const json of bodies) {
      const { json: decided } = await ask<RuleTestResult>("POST", `${path}/test`, {
        ...call,
        json,
      });
      answers.push([decided.behavior, decided.rule?.behavior ?? null]);
    }
    const unknown = await ask("POST", `${path}/test`, { ...call, json: { tool_name: "fly" } });

    expect(answers).toEqual([
      ["deny", "deny"],
      ["ask", null],
      ["allow", null],
      ["allow", "allow"],
      ["allow", null],
    ]);
    expect(refusalOf(unknown)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/tool_name"],
    });
  });
});
