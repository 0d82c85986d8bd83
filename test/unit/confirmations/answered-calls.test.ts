// Events of an accepted answer: edits (H37, H38), the rules that it switches on, and who gave it.
import { describe, expect, it } from "vitest";

import { closeReply } from "../../../agent/state/close-reply.ts";
import { expireCalls } from "../../../agent/answers/expire-calls.ts";
import { answerConfirmations, type AnswerRights } from "../../../agent/answers/answer-calls.ts";
import { resultMetadata } from "../../../agent/state/result-metadata.ts";
import { MIN_ANSWER_CHARACTERS } from "../../../protocol/confirmations/limits.ts";
import { MAX_REPLY_LOG_CHARACTERS } from "../../../protocol/replies/limits.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";
import { APPROVED_BY, APPROVER, ApprovalDesk } from "../../support/approval-desk.ts";
import type { FunctionTool } from "../../support/function-tools.ts";
import { inputHash } from "../../support/test-asking.ts";

const WRITER: AnswerRights = { ...APPROVER, may_write_rules: true };
const beside = { read_only: false, concurrency_safe: true } satisfies Partial<FunctionTool>;

function rule(tool_name: string, behavior: PermissionRule["behavior"]): PermissionRule {
  return { tool_name, rule_content: null, behavior, source: "client" };
}

/** Refunds and cancellations that each ask; what ran is in `ran`. */
async function askingDesk(
  script = '/call refund {"amount":5}\n/call cancel {}\n/say Done',
): Promise<{ desk: ApprovalDesk; ran: unknown[] }> {
  const ran: unknown[] = [];
  const run = (input: unknown): string => {
    ran.push(input);
    return "done";
  };
  const desk = new ApprovalDesk({
    script,
    tools: { refund: { ...beside, run }, cancel: { ...beside, run } },
  });
  await desk.run();
  return { desk, ran };
}

describe("an accepted answer", () => {
  it("is logged with our words for the call, and with who gave it", async () => {
    const { desk } = await askingDesk();
    const [call] = desk.calls;
    const id = call?.id ?? "";
    const answered = desk.confirm([{ call: 0, input: '{ "amount": 5 }' }], {
      rights: { ...APPROVER, must_prove_input: true },
      metadata: {
        input_hashes: { [id]: inputHash("refund", '{"amount":5}') },
        settled_by_rules: true,
        decided_by: "somebody else",
        ticket: 7,
      },
    });

    expect(answered).toMatchObject({
      value: { answers: new Map([[id, { confirmed: true, input: '{"amount":5}', rules: [] }]]) },
    });
    expect(desk.log.events.at(-1)).toMatchObject({
      type: "USER_CONFIRM_RESULT",
      confirm_results: [{ confirmed: true, tool_call: call, rules: null }],
    });
    expect(desk.log.events.at(-1)?.metadata).toEqual({
      input_hashes: { [id]: inputHash("refund", '{"amount":5}') },
      ticket: 7,
      decided_by: APPROVED_BY,
    });
  });

  it("H37: with an edit runs the edited input, shows it, and keeps what the model had written", async () => {
    const { desk, ran } = await askingDesk();
    const [call] = desk.calls;
    desk.confirm([{ call: 0, input: '{"amount":3}' }]);

    expect(desk.log.events.slice(-2)).toMatchObject([
      {
        type: "USER_CONFIRM_RESULT",
        confirm_results: [{ tool_call: { id: call?.id, input: '{"amount":3}' } }],
      },
      {
        type: "CUSTOM",
        name: "tool_call_edited",
        value: { reply_id: "rep_1", tool_call_id: call?.id, input: '{"amount":3}' },
      },
    ]);
    expect(desk.calls[0]).toMatchObject({ state: "allowed", input: '{"amount":3}' });
    await desk.run();
    expect(ran).toEqual([{ amount: 3 }]);
    expect(desk.log.events.at(-1)).toMatchObject({
      type: "TOOL_RESULT_END",
      metadata: { original_input: '{"amount":5}' },
    });
  });

  it("H37: is no edit when it says the same in other words", async () => {
    const { desk } = await askingDesk('/call refund {"amount":5,"note":"a\\u0062"}\n/say Done');
    desk.confirm([{ call: 0, input: '{"note": "ab", "amount": 5e0}' }]);

    expect(desk.typesOf(Infinity).at(-1)).toBe("USER_CONFIRM_RESULT");
    expect(desk.calls[0]?.input).toBe('{"amount":5,"note":"a\\u0062"}');
  });

  it("H37: keeps the original when the edited call is handed out, fails, or is interrupted", async () => {
    const desk = new ApprovalDesk({
      script: '/call print_label {"n":1}\n/say Done',
      tools: { print_label: { read_only: false, external: {}, run: () => "" } },
    });
    await desk.run();
    desk.confirm([{ call: 0, input: '{"n":2}' }]);
    await desk.run();
    expect(desk.log.events.at(-1)).toMatchObject({ tool_calls: [{ input: '{"n":2}' }] });
    const { state } = desk.log;
    const original = { type: "TOOL_RESULT_END", metadata: { original_input: '{"n":1}' } };
    expect(expireCalls(state, [desk.calls[0]?.id ?? ""])[1]).toMatchObject(original);
    const closing = { session_id: "ses_1", finished_reason: "interrupted" } as const;
    expect(closeReply(state, closing)[1]).toMatchObject(original);
    desk.submit([{ id: desk.calls[0]?.id, metadata: { page: 1 } }]);

    expect(desk.log.events.at(-1)?.metadata).toEqual({ page: 1, original_input: '{"n":1}' });
  });

  it("H38: cannot make a call one of another tool, and what a deny rule forbids by then does not run", async () => {
    const { desk, ran } = await askingDesk("/call refund {}\n/say Done");
    expect(desk.confirm([{ call: 0, name: "cancel" }])).toMatchObject({
      refusal: { code: "tool_name_changed" },
    });
    desk.confirm([{ call: 0 }]);
    const deny = rule("refund", "deny");
    desk.rules.push(deny);
    await desk.run();

    expect(ran).toEqual([]);
    expect(desk.states).toEqual(["finished denied"]);
    const start = desk.log.events.find((event) => event.type === "TOOL_RESULT_START");
    expect(start?.metadata).toEqual({
      decision: { behavior: "deny", reason: "A deny rule forbids it.", rule: deny },
    });
  });

  it("says why a call is denied, to the model and in the result's metadata, and nothing for white space", async () => {
    const { desk } = await askingDesk();
    desk.confirm([
      { call: 0, confirmed: false, reason: "Over\nthe limit. " },
      { call: 1, confirmed: false, reason: " \n" },
    ]);

    expect(desk.log.events.find(({ type }) => type === "USER_CONFIRM_RESULT")).toMatchObject({
      confirm_results: [
        { reason: "Over\nthe limit." },
        expect.not.objectContaining({ reason: "" }),
      ],
    });
    const of = (type: string) => desk.log.events.filter((event) => event.type === type);
    expect(of("TOOL_RESULT_TEXT_DELTA")).toMatchObject([
      {
        delta:
          "A person denied the call of refund: it was not made. Their reason: Over\nthe limit.",
      },
      { delta: "A person denied the call of cancel: it was not made." },
    ]);
    expect(of("TOOL_RESULT_END").map(({ metadata }) => metadata)).toEqual([
      { denial_reason: "Over\nthe limit." },
      {},
    ]);
  });

  it("keeps the reason of an approval out of the model's sight", async () => {
    const { desk } = await askingDesk();
    const answered = desk.confirm([{ call: 0, reason: "Ann has looked." }]);
    await desk.run();

    expect(answered.ok && [...answered.value.answers.values()]).toMatchObject([
      { confirmed: true, reason: "Ann has looked." },
    ]);
    expect(JSON.stringify(desk.log.state.message)).not.toContain("Ann has looked.");
  });

  it("is refused when the reply has no room for its reason, and taken without it", async () => {
    const { desk } = await askingDesk();
    const full = { ...desk.log.state, logged_characters: MAX_REPLY_LOG_CHARACTERS };
    const said = (reason: string) =>
      answerConfirmations(
        full,
        desk.confirmation([{ call: 0, confirmed: false, reason }]),
        desk.context(),
      );

    expect(said("x".repeat(MIN_ANSWER_CHARACTERS / 2 + 1))).toMatchObject({
      refusal: {
        code: "body_too_large",
        errors: [{ pointer: "#/confirm_results/0/reason" }],
      },
    });
    expect(said("x".repeat(MIN_ANSWER_CHARACTERS / 2)).ok).toBe(true);
  });

  it("is another answer with another reason, and the same one without", async () => {
    const { desk } = await askingDesk();
    desk.confirm([{ call: 0, confirmed: false, reason: "Too much." }]);
    const again = (reason?: string) => {
      const answer = { call: 0, confirmed: false, ...(reason !== undefined && { reason }) };
      const refused = desk.confirm([answer]);
      return !refused.ok && [refused.refusal.code, refused.refusal.extensions?.["same_answer"]];
    };

    expect([again("Too much. "), again(), again("Ask Ann.")]).toEqual([
      ["confirmation_used", true],
      ["confirmation_used", true],
      ["confirmation_used", false],
    ]);
  });

  it("cannot be claimed by a tool: the members that only the platform sets are removed", () => {
    const { state } = new ApprovalDesk({ script: "/say Hi", tools: {} }).log;
    const claimed = { page: 1, denial_reason: "a lie", original_input: "{}" };

    expect(resultMetadata(state, "call_1", claimed)).toEqual({ page: 1 });
  });
});

describe("rules that come with an answer", () => {
  it("settle the other calls that ask and that they cover", async () => {
    const { desk, ran } = await askingDesk();
    const [refund, cancel] = desk.calls;
    const answered = desk.confirm([{ call: 0, rules: [rule("cancel", "allow")] }], {
      rights: WRITER,
    });

    expect(answered).toMatchObject({
      value: {
        rules: [rule("cancel", "allow")],
        answers: new Map([
          [
            refund?.id,
            { confirmed: true, input: '{"amount":5}', rules: [rule("cancel", "allow")] },
          ],
          [cancel?.id, { confirmed: true, input: "{}", rules: [] }],
        ]),
      },
    });
    expect(desk.log.events.at(-1)).toMatchObject({
      type: "USER_CONFIRM_RESULT",
      confirm_results: [
        {
          confirmed: true,
          tool_call: { id: cancel?.id },
          rules: null,
          reason: "A new rule allows it.",
        },
      ],
      metadata: { settled_by_rules: true, decided_by: APPROVED_BY },
    });
    expect(desk.states).toEqual(["allowed", "allowed"]);
    await desk.run();
    expect(ran).toHaveLength(2);
  });

  it("deny the other calls that ask and that they forbid", async () => {
    const { desk, ran } = await askingDesk();
    const deny = rule("cancel", "deny");
    const answered = desk.confirm([{ call: 0, rules: [deny] }], { rights: WRITER });

    expect(answered.ok && [...answered.value.answers.keys()]).toEqual([desk.calls[0]?.id]);
    expect(desk.states).toEqual(["allowed", "finished denied"]);
    expect(desk.log.events.at(-3)).toMatchObject({
      type: "TOOL_RESULT_START",
      metadata: { decision: { behavior: "deny", reason: "A new rule denies it.", rule: deny } },
    });
    await desk.run();
    expect(ran).toEqual([{ amount: 5 }]);
    expect(desk.log.state.message.finished_reason).toBe("completed");
  });

  it("leave alone what the same event answers itself", async () => {
    const { desk } = await askingDesk();
    desk.confirm(
      [
        { call: 0, rules: [rule("cancel", "allow")] },
        { call: 1, confirmed: false },
      ],
      { rights: WRITER },
    );

    expect(desk.states).toEqual(["allowed", "finished denied"]);
  });

  it("are taken in their own words, each once, and never as a yes that comes with a no", async () => {
    const { desk } = await askingDesk();
    const suggested = desk.calls[0]?.suggested_rules[0];
    const yes = desk.confirm([
      { call: 0, rules: [rule("refund", "allow"), { ...rule("refund", "allow"), source: "me" }] },
    ]);
    const no = desk.confirm([{ call: 1, confirmed: false, rules: [rule("cancel", "allow")] }]);

    expect(yes).toMatchObject({ value: { rules: [suggested] } });
    expect(no).toMatchObject({ ok: true, value: { rules: [] } });
  });

  it("that forbid are taken with a no", async () => {
    const { desk } = await askingDesk();
    const deny = rule("refund", "deny");
    const answered = desk.confirm([{ call: 0, confirmed: false, rules: [deny] }], {
      rights: WRITER,
    });

    expect(answered).toMatchObject({ ok: true, value: { rules: [deny] } });
  });

  it("settle no call that only a mode would let through", async () => {
    const { desk } = await askingDesk();
    const event = desk.confirmation([{ call: 0, rules: [rule("refund", "allow")] }]);
    const permission = { ...desk.permission, mode: "bypass" } as const;
    const answered = answerConfirmations(desk.log.state, event, {
      ...desk.context(WRITER),
      permission,
    });

    expect(answered.ok && [...answered.value.answers.keys()]).toEqual([desk.calls[0]?.id]);
  });
});
