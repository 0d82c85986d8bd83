// Answers of people and results of external tools: what leaves, and what happens when the way back is lost.
import { describe, expect, it } from "vitest";

import type { Confirmation, PendingCall, Reply, Session } from "../../sdk/index.ts";
import { cut, failure, json, refuse, startStage, type Scene } from "./stage.ts";

function waiting(id: string, kind: PendingCall["kind"] = "permission"): PendingCall {
  return {
    kind,
    tool_call: {
      type: "tool_call",
      id,
      name: kind === "permission" ? "refund" : "print_label",
      input: '{"order_id":"A-1001"}',
      state: kind === "permission" ? "asking" : "submitted",
      suggested_rules: [],
      created_at: "T",
      finished_at: null,
    },
    input_hash: kind === "permission" ? `sha256:${id}` : null,
    expires_at: null,
    suggested_rules: [],
  };
}

const REPLY = {
  id: "rep_1",
  session_id: "ses_1",
  status: "awaiting_permission",
  message: null,
  pending: [waiting("c1"), waiting("c2"), waiting("c3", "external_result")],
  error: null,
  usage: null,
  cursor: 9,
} satisfies Reply;
const SESSION = { ...REPLY, id: "ses_1", reply_id: "rep_1" } as unknown as Session;
const RULE = {
  tool_name: "refund",
  rule_content: "A-1001",
  behavior: "allow",
  source: "suggested",
} as const;
const receipt = json(202, { reply: REPLY, cursor: 9, applied: true });

function used(code: string, same_answer: boolean): Scene {
  return json(409, { code, detail: "answered", request_id: "req_1", same_answer });
}

async function stageOf(...scenes: Scene[]) {
  const { reprise, requests } = await startStage(scenes);
  return { session: reprise.session("ses_1"), requests };
}

describe("session.confirm", () => {
  it("says yes to all that a reply asks, with the hashes, and gives the receipt", async () => {
    const { session, requests } = await stageOf(receipt);

    expect(await session.confirm(REPLY)).toEqual({ reply: REPLY, cursor: 9, applied: true });
    expect(requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      {
        method: "POST",
        path: "/v1/sessions/ses_1/events",
        body: {
          type: "USER_CONFIRM_RESULT",
          reply_id: "rep_1",
          metadata: { input_hashes: { c1: "sha256:c1", c2: "sha256:c2" } },
          confirm_results: [
            { confirmed: true, tool_call: { id: "c1" } },
            { confirmed: true, tool_call: { id: "c2" } },
          ],
        },
      },
    ]);
  });

  it("asks a function about each call, and leaves out those that it leaves", async () => {
    const { session, requests } = await stageOf(receipt);

    await session.confirm(REPLY, async ({ tool_call }) =>
      tool_call.id === "c1" ? { confirmed: false, reason: "Too much." } : undefined,
    );

    expect(requests[0]?.body).toEqual({
      type: "USER_CONFIRM_RESULT",
      reply_id: "rep_1",
      metadata: { input_hashes: { c1: "sha256:c1" } },
      confirm_results: [{ confirmed: false, tool_call: { id: "c1" }, reason: "Too much." }],
    });
  });

  it("says no to all, with a reason or without", async () => {
    const { session, requests } = await stageOf(receipt, receipt);

    await session.deny(REPLY, { reason: "Too much." });
    await session.deny({ ...REPLY, pending: REPLY.pending.slice(1) });

    const no = (id: string) => ({ confirmed: false, tool_call: { id } });
    const reason = "Too much.";
    const posted = requests.flatMap(({ body }) => (body ? [body] : []));
    expect(posted.map((body) => (body as Record<string, unknown>)["confirm_results"])).toEqual([
      [
        { ...no("c1"), reason },
        { ...no("c2"), reason },
      ],
      [no("c2")],
    ]);
  });

  it.each([
    ["what it is made of", { order_id: "A-1002" }],
    ["text", '{"order_id":"A-1002"}'],
  ])("sends an edited input that is given as %s, and rules", async (_, input) => {
    const { session, requests } = await stageOf(receipt);

    await session.confirm(SESSION, ({ tool_call }) =>
      tool_call.id === "c1" ? { input, rules: [RULE] } : undefined,
    );

    expect(requests[0]?.body).toMatchObject({
      reply_id: "rep_1",
      confirm_results: [
        {
          confirmed: true,
          tool_call: { id: "c1", input: '{"order_id":"A-1002"}' },
          rules: [RULE],
        },
      ],
    });
  });

  it("finds a call by its id in the session", async () => {
    const { session, requests } = await stageOf(json(200, SESSION), receipt);

    await session.confirm("c2");

    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/sessions/ses_1",
      "POST /v1/sessions/ses_1/events",
    ]);
    expect(requests[1]?.body).toMatchObject({
      reply_id: "rep_1",
      metadata: { input_hashes: { c2: "sha256:c2" } },
      confirm_results: [{ tool_call: { id: "c2" } }],
    });
  });

  it("leaves it to the platform to say what became of a call that waits no more", async () => {
    const idle = { ...SESSION, reply_id: null, pending: [] };
    const gone = used("call_not_pending", false);
    const { session } = await stageOf(json(200, idle), gone);

    expect(await failure(session.confirm("c9"))).toMatchObject({ code: "call_not_pending" });
  });

  it("takes an item of the tenant's list as it is, and asks the session for what was too large", async () => {
    const { tool_call, ...rest } = waiting("c1");
    const item: Confirmation = {
      ...rest,
      session_id: "ses_1",
      reply_id: "rep_1",
      agent_id: "agt_1",
      end_user_id: null,
      tool_call_id: "c1",
      tool_name: "refund",
      tool_call,
      asked_at: "T",
    };
    const whole = await stageOf(receipt);
    const large = await stageOf(json(200, SESSION), receipt);

    await whole.session.confirm(item);
    await large.session.confirm([{ ...item, tool_call: null }]);

    expect(large.requests[1]?.body).toEqual(whole.requests[0]?.body);
    expect(whole.requests).toHaveLength(1);
  });

  it("of calls that all wait for something else is a TypeError, and sends nothing", async () => {
    const { session, requests } = await stageOf(receipt);

    await expect(
      session.confirm({ ...REPLY, pending: [waiting("c3", "external_result")] }),
    ).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });
});

describe("session.submitToolResults", () => {
  it.each([
    ["a text", "Printed.", { output: "Printed." }],
    [
      "blocks",
      [{ type: "text", text: "Printed." }],
      { output: [{ type: "text", text: "Printed." }] },
    ],
    [
      "an error",
      { output: "No paper.", state: "error", metadata: { tray: 2 } },
      { output: "No paper.", state: "error", metadata: { tray: 2 } },
    ],
  ] as const)("gives %s", async (_, result, sent) => {
    const { session, requests } = await stageOf(receipt);

    await session.submitToolResults(REPLY, result);

    expect(requests[0]?.body).toEqual({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: "rep_1",
      execution_results: [{ id: "c3", ...sent }],
    });
  });
});

describe("an answer whose own answer is lost", () => {
  it.each([
    ["lost", cut],
    ["a moment too early", refuse(503)],
  ])("is sent again in the same words when it was %s", async (_, first) => {
    const { session, requests } = await stageOf(first, receipt);

    expect(await session.confirm(REPLY)).toMatchObject({ applied: true });
    const sent = requests.map(({ body, headers }) => ({ body, key: headers["idempotency-key"] }));
    expect(sent).toEqual([sent[0], sent[0]]);
  });

  it.each(["confirmation_used", "call_not_pending"])(
    "has arrived when the platform then says %s by the same answer",
    async (code) => {
      const { session, requests } = await stageOf(cut, used(code, true), json(200, REPLY));

      const given = await session.confirm(REPLY);

      expect(given).toEqual({ reply: REPLY, cursor: 9, applied: false });
      expect(requests[2]?.path).toBe("/v1/sessions/ses_1/replies/rep_1");
    },
  );

  it("has not when the other answer was first", async () => {
    const { session } = await stageOf(cut, used("confirmation_used", false));

    expect(await failure(session.confirm(REPLY))).toMatchObject({ code: "confirmation_used" });
  });

  it("is no excuse for an answer that was given before and not by this call", async () => {
    const { session } = await stageOf(used("confirmation_used", true));

    expect(await failure(session.confirm(REPLY))).toMatchObject({ code: "confirmation_used" });
  });
});
