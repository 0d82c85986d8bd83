import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type {
  Decision,
  RuleTestResult,
  SessionRule,
} from "../../../protocol/permission/contract.ts";
import { MAX_RULE_CHARACTERS, MAX_RULES } from "../../../protocol/permission/limits.ts";
import { ask, openSession, refusalOf } from "../support/api.ts";
import { confirmation, DESK, openParked } from "../support/parked-session.ts";

const DENY = { tool_name: "refund_order", rule_content: null, behavior: "deny", source: "agent" };
const ALLOW = { tool_name: "refund_order", rule_content: null, behavior: "allow" };
const ASK = { tool_name: "cancel_order", rule_content: null, behavior: "ask", source: "Ann" };

async function openDesk(rules: readonly object[] = []) {
  const opened = await openSession({ ...DESK, permission: { mode: "default", rules } });
  return { ...opened, rules: `${opened.path}/permission-rules` };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

function add({ rules: path, call }: Desk, rules: readonly object[]) {
  return ask<{ data: readonly SessionRule[] }>("POST", path, { ...call, json: { rules } });
}

async function list({ rules: path, call }: Desk, query = "") {
  return (await ask<Page<SessionRule>>("GET", path + query, call)).json;
}

async function testCall({ rules: path, call }: Desk, json: object) {
  return ask<RuleTestResult>("POST", `${path}/test`, { ...call, json });
}

describe("a session's permission rules", () => {
  test("are added with who wrote them, and listed with the agent's", async () => {
    const desk = await openDesk([DENY]);

    const added = await add(desk, [ALLOW, ASK]);

    const { data, ...rest } = await list(desk);
    expect(added.status).toBe(201);
    expect(added.json.data).toEqual(
      [{ ...ALLOW, source: "session" }, ASK].map((rule) => ({
        ...rule,
        id: expect.stringMatching(/^rul_/),
        scope: "session",
        created_at: expect.stringMatching(/Z$/),
        created_by: expect.stringMatching(/^key_/),
      })),
    );
    expect(data.filter(({ scope }) => scope === "session")).toEqual(added.json.data);
    expect(data.filter(({ scope }) => scope === "agent")).toEqual([
      { ...DENY, id: null, scope: "agent", created_at: null, created_by: null },
    ]);
    expect(rest).toEqual({ has_more: false, next_page: null });
  });

  test("need no more than a tool and a behaviour, and are stored with all four members", async () => {
    const short = { tool_name: "refund_order", behavior: "deny" };
    const desk = await openDesk([short]);

    const added = await add(desk, [{ ...short, behavior: "ask" }]);

    expect(added.json.data).toMatchObject([{ rule_content: null, source: "session" }]);
    expect((await list(desk)).data).toMatchObject([
      { ...short, behavior: "ask", rule_content: null, source: "session", scope: "session" },
      { ...short, rule_content: null, source: "agent", scope: "agent" },
    ]);
    const input = { order_id: "A-1" };
    const { json } = await testCall(desk, { tool_name: "refund_order", input });
    expect(json.behavior).toBe("deny");
  });

  test("come in pages", async () => {
    const desk = await openDesk([DENY]);
    await add(desk, [ALLOW, ASK]);

    const pages: SessionRule[] = [];
    let query = "?limit=1";
    for (let count = 0; count < 3; count += 1) {
      const { data, next_page } = await list(desk, query);
      pages.push(...data);
      query = `?limit=1&page=${next_page}`;
    }

    expect(pages).toEqual((await list(desk)).data);
    expect(refusalOf(await ask("GET", `${desk.rules}?page=nonsense`, desk.call))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/page"],
    });
  });

  test("are not added twice", async () => {
    const desk = await openDesk();

    const [first, second] = [await add(desk, [ALLOW]), await add(desk, [ALLOW])];

    expect(second.json.data).toEqual(first.json.data);
    expect((await list(desk)).data).toEqual(first.json.data);
  });

  test("go when they are removed, but the agent's stay", async () => {
    const desk = await openDesk([DENY]);
    const { json } = await add(desk, [ALLOW]);
    const path = `${desk.rules}/${json.data[0]!.id}`;

    const statuses = [
      (await ask("DELETE", path, desk.call)).status,
      (await ask("DELETE", path, desk.call)).status,
      (await ask("DELETE", `${desk.rules}/rul_${"0".repeat(26)}`, desk.call)).status,
    ];

    expect([statuses, (await list(desk)).data.map(({ scope }) => scope)]).toEqual([
      [204, 404, 404],
      ["agent"],
    ]);
  });

  test("are refused with a pointer where they are none", async () => {
    const desk = await openDesk();
    const bodies: [string, object][] = [
      ["#/rules", {}],
      ["#/rules", { rules: [] }],
      ["#/rules/0/behavior", { rules: [{ ...ALLOW, behavior: "passthrough" }] }],
      ["#/rules/0/tool_name", { rules: [{ ...ALLOW, tool_name: "" }] }],
      ["#/rules/0/rule_content", { rules: [{ ...ALLOW, rule_content: 5 }] }],
      ["#/rules/0/behavior", { rules: [{ tool_name: "t" }] }],
      [
        "#/rules/0/rule_content",
        { rules: [{ ...ALLOW, rule_content: "x".repeat(MAX_RULE_CHARACTERS + 1) }] },
      ],
      ["#/rules/0/id", { rules: [{ ...ALLOW, id: "rul_1" }] }],
    ];

    const answers = [];
    for (const [, json] of bodies)
      answers.push(await ask("POST", desk.rules, { ...desk.call, json }));

    expect(answers.map(refusalOf)).toEqual(
      bodies.map(([pointer]) => ({
        status: 400,
        code: "validation_failed",
        pointers: [pointer],
      })),
    );
  });

  test(`are ${MAX_RULES} at most`, async () => {
    const desk = await openDesk();
    const many = Array.from({ length: MAX_RULES }, (_, index) => {
      return { ...ALLOW, rule_content: `order ${index}` };
    });

    const [first, second] = [await add(desk, many), await add(desk, [ALLOW])];

    expect([first.status, second.status, (await list(desk, "?limit=100")).has_more]).toEqual([
      201,
      409,
      true,
    ]);
  });
});

describe("…/permission-rules/test", () => {
  test("names the decision and its rule, and changes nothing", async () => {
    const desk = await openDesk([DENY]);
    await add(desk, [{ ...ALLOW, tool_name: "cancel_order", source: "Ann" }]);
    const before = await list(desk);

    const answers = [
      await testCall(desk, { tool_name: "refund_order", input: { order_id: "A-1001" } }),
      await testCall(desk, { tool_name: "cancel_order", input: { order_id: "A-1001" } }),
      await testCall(desk, { tool_name: "print_label" }),
    ];

    expect(
      answers.map(({ status, json }) => [status, json.behavior, json.rule?.source ?? null]),
    ).toEqual([
      [200, "deny", "agent"],
      [200, "allow", "Ann"],
      [200, "allow", null],
    ]);
    expect(await list(desk)).toEqual(before);
    expect((await ask("GET", `${desk.path}/events`, desk.call)).json).toMatchObject({ data: [] });
  });

  test("shows what an asked call would suggest", async () => {
    const desk = await openDesk();

    const { json } = await testCall(desk, { tool_name: "refund_order", input: {} });

    expect(json).toEqual({
      behavior: "ask",
      reason: expect.toSatisfy((reason) => reason === null || typeof reason === "string"),
      rule: null,
      suggested_rules: [{ ...ALLOW, source: "suggested" }],
    });
  });

  test("knows no tool that the agent lacks", async () => {
    const desk = await openDesk();

    const answer = await ask("POST", `${desk.rules}/test`, {
      ...desk.call,
      json: { tool_name: "no_such_tool" },
    });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/tool_name"],
    });
  });
});

describe("…/decisions", () => {
  test("has who decided what, the newest first", async () => {
    const parked = await openParked();
    const [{ tool_call }] = parked.pending as [(typeof parked.pending)[number]];
    const input = '{"order_id":"A-1001","amount_cents":1}';
    await ask("POST", `${parked.events}?stream=true`, {
      ...parked.call,
      json: {
        ...confirmation(parked.reply, []),
        confirm_results: [{ confirmed: true, tool_call: { id: tool_call.id, input } }],
      },
    });

    const { json } = await ask<Page<Decision>>("GET", `${parked.path}/decisions`, parked.call);

    const common = {
      reply_id: parked.reply.id,
      tool_call_id: tool_call.id,
      tool_name: "refund_order",
      rule: null,
      decided_at: expect.stringMatching(/Z$/),
      seq: expect.any(Number),
    };
    expect(json.data).toMatchObject([
      {
        ...common,
        behavior: "allow",
        decided_by: { kind: "api_key", id: expect.stringMatching(/^key_/) },
        edited_input: input,
      },
      {
        ...common,
        behavior: "ask",
        decided_by: { kind: "platform", id: null },
        edited_input: null,
      },
    ]);
    expect(json.data[0]!.seq).toBeGreaterThan(json.data[1]!.seq);
  });

  test("comes in pages", async () => {
    const parked = await openParked();
    await ask("POST", `${parked.events}?stream=true`, {
      ...parked.call,
      json: confirmation(parked.reply, parked.pending),
    });
    const path = `${parked.path}/decisions`;

    const whole = await ask<Page<Decision>>("GET", path, parked.call);
    const first = await ask<Page<Decision>>("GET", `${path}?limit=1`, parked.call);
    const second = await ask<Page<Decision>>(
      "GET",
      `${path}?limit=1&page=${first.json.next_page}`,
      parked.call,
    );

    expect([...first.json.data, ...second.json.data]).toEqual(whole.json.data);
    expect([first.json.has_more, second.json.has_more]).toEqual([true, false]);
  });
});
