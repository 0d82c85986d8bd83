// The rules of a session, what they would decide, and the record of what was decided.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { MAX_RULES } from "../../../protocol/permission/limits.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";
import {
  confirmation,
  KEY,
  LOOK,
  parkedSession,
  post,
  REFUND,
  withTools,
} from "../confirmations/parked.ts";
import {
  createdSession,
  listEvents,
  objectOf,
  readReply,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";

function rule(behavior: "allow" | "ask" | "deny", tool_name = "refund"): PermissionRule {
  return { tool_name, rule_content: null, behavior, source: "session" };
}

describe("the rules of a session", () => {
  it("are kept, listed before the agent's, and removed one by one", async () => {
    const init = await createdSession({
      tools: [REFUND],
      permission: { mode: "default", rules: [rule("ask", "look")] },
    });
    const [added] = valueOf(await stubOf(init).act("addRules", [rule("allow")], { actor: KEY }));
    const [again] = valueOf(await stubOf(init).act("addRules", [rule("allow")], { actor: KEY }));
    await evictDurableObject(objectOf(init));
    const listed = valueOf(await stubOf(init).act("listRules"));

    expect(added).toMatchObject({ ...rule("allow"), scope: "session", created_by: KEY.id });
    expect(again).toEqual(added);
    expect(listed).toEqual([
      added,
      { ...rule("ask", "look"), id: null, scope: "agent", created_at: null, created_by: null },
    ]);
    expect(await stubOf(init).act("removeRule", added?.id ?? "")).toEqual({
      ok: true,
      value: null,
    });
    expect(await stubOf(init).act("removeRule", added?.id ?? "")).toMatchObject({
      refusal: { code: "not_found" },
    });
    expect(valueOf(await stubOf(init).act("listRules"))).toEqual(listed.slice(1));
  });

  it("hold for the next call, and the agent's deny holds over the session's allow", () =>
    withTools(async (calls) => {
      const denied = { mode: "default", rules: [rule("deny", "pay")] };
      const tools = [REFUND, { ...REFUND, name: "pay" }];
      const init = await createdSession({ tools, permission: denied });
      valueOf(
        await stubOf(init).act("addRules", [rule("allow"), rule("allow", "pay")], { actor: KEY }),
      );
      const ended = await reply(init, "/call refund {}\n/call pay {}\n/say done");

      expect(ended.status).toBe("completed");
      expect(ended.message?.content.filter(({ type }) => type === "tool_result")).toMatchObject([
        { name: "refund", state: "success" },
        { name: "pay", state: "denied" },
      ]);
      expect(calls).toHaveLength(1);
    }));

  it("are bounded in number", async () => {
    const init = await createdSession();
    const many = Array.from({ length: MAX_RULES }, (_, index) => rule("deny", `tool_${index}`));
    valueOf(await stubOf(init).act("addRules", many, { actor: KEY }));

    expect(await stubOf(init).act("addRules", [rule("deny")], { actor: KEY })).toMatchObject({
      refusal: { code: "conflict" },
    });
    expect(
      valueOf(await stubOf(init).act("addRules", many.slice(0, 1), { actor: KEY })),
    ).toHaveLength(1);
  });

  it("say what a call would get, and nothing changes by asking", async () => {
    const init = await createdSession({ tools: [REFUND, LOOK] });
    const asked = valueOf(await stubOf(init).act("testCall", { tool_name: "refund", input: {} }));
    await stubOf(init).act("addRules", [rule("deny")], { actor: KEY });
    const denied = valueOf(await stubOf(init).act("testCall", { tool_name: "refund", input: {} }));

    expect(asked).toMatchObject({ behavior: "ask", rule: null });
    expect(asked.suggested_rules).toEqual([{ ...rule("allow"), source: "suggested" }]);
    expect(denied).toMatchObject({ behavior: "deny", rule: rule("deny") });
    expect(await stubOf(init).act("testCall", { tool_name: "none", input: {} })).toMatchObject({
      refusal: { code: "validation_failed", errors: [{ pointer: "#/tool_name" }] },
    });
    expect(valueOf(await listEvents(init, { after: 0, limit: 1 })).data).toEqual([]);
  });
});

describe("a rule that comes with an answer", () => {
  it("is the session's from then on, and settles the other calls that it covers", () =>
    withTools(async (calls) => {
      const tools = [{ ...LOOK, name: "refund", read_only: false, rule_argument: "/id" }];
      const input = '/call refund {"id":"1"}\n/call refund {"id":"2"}\n/say ok';
      const { init, parked, call } = await parkedSession(input, { tools });
      expect(parked.pending).toHaveLength(2);
      const rights = { ...KEY, may_write_rules: true };
      const event = confirmation(parked.id, call, { rules: [rule("allow")] });
      valueOf(await stubOf(init).act("postEvent", event, { actor: rights }));
      const ended = await readReply(init, parked.id, 60_000);

      expect(ended.status).toBe("completed");
      expect(calls).toHaveLength(2);
      expect(valueOf(await stubOf(init).act("listRules"))).toMatchObject([
        { tool_name: "refund", behavior: "allow", scope: "session", created_by: KEY.id },
      ]);
      await reply(init, '/call refund {"id":"3"}\n/say ok');
      expect(calls).toHaveLength(3);
    }));
});

describe("the record of decisions", () => {
  it("has who decided what, newest first, page by page", () =>
    withTools(async () => {
      const input = "/call look {}\n/call refund {}\n/say ok";
      const { init, parked, call } = await parkedSession(input);
      await post(init, confirmation(parked.id, call, { confirmed: false }));
      await readReply(init, parked.id, 60_000);
      const { data } = valueOf(await stubOf(init).act("listDecisions", { limit: 10 }));

      const platform = { kind: "platform", id: null };
      expect(data).toMatchObject([
        {
          reply_id: parked.id,
          tool_call_id: call.tool_call.id,
          tool_name: "refund",
          behavior: "deny",
          decided_by: { kind: "api_key", id: KEY.id },
          edited_input: null,
        },
        { tool_name: "refund", behavior: "ask", reason: "Mode: default", decided_by: platform },
        { tool_name: "look", behavior: "allow", decided_by: platform },
      ]);
      const first = valueOf(await stubOf(init).act("listDecisions", { limit: 2 }));
      const page = first.next_page ?? "";
      const second = valueOf(await stubOf(init).act("listDecisions", { limit: 2, page }));
      expect([...first.data, ...second.data]).toEqual(data);
      expect([first.has_more, second.has_more, second.next_page]).toEqual([true, false, null]);
      expect(await stubOf(init).act("listDecisions", { limit: 2, page: "pg_x" })).toMatchObject({
        refusal: { code: "validation_failed" },
      });
    }));
});

describe("a session that was never opened", () => {
  it("has no rules, decisions or tokens, and asking creates no storage", async () => {
    const init = sessionInit();
    const stub = stubOf(init);
    const answers = [
      await stub.act("listRules"),
      await stub.act("addRules", [rule("deny")], { actor: KEY }),
      await stub.act("removeRule", "rul_1"),
      await stub.act("testCall", { tool_name: "refund", input: {} }),
      await stub.act("listDecisions", { limit: 1 }),
      await stub.act("addToken", { id: "tok_1", expires_at: "2099-01-01T00:00:00.000Z" }),
      await stub.act("revokeToken", "tok_1"),
    ];

    expect(answers.map((answer) => !answer.ok && answer.refusal.code)).toEqual(
      answers.map(() => "not_found"),
    );
    expect(await stub.admitsToken("tok_1")).toBe(false);
  });
});
