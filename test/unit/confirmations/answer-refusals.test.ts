// Refusals of a person's answer: each with its own code, at its place, and nothing of the event is taken.
import { describe, expect, it } from "vitest";

import { answerConfirmations, type AnswerRights } from "../../../agent/answers/answer-calls.ts";
import { MIN_ANSWER_CHARACTERS } from "../../../protocol/confirmations/limits.ts";
import { MAX_REPLY_CHARACTERS } from "../../../protocol/replies/limits.ts";
import type { PermissionRule } from "../../../protocol/messages/permission.ts";
import { APPROVER, ApprovalDesk, type ShortAnswer } from "../../support/approval-desk.ts";
import { inputHash } from "../../support/test-asking.ts";

const INPUT = '{"amount":5}';
const amountSchema = {
  type: "object",
  properties: { amount: { type: "number" } },
  required: ["amount"],
};
const refund = (behavior: PermissionRule["behavior"]): PermissionRule => ({
  tool_name: "refund",
  rule_content: null,
  behavior,
  source: "client",
});
const OTHER = { ...refund("allow"), tool_name: "cancel" };
const WRITER: AnswerRights = { ...APPROVER, may_write_rules: true };
const READER: AnswerRights = { ...APPROVER, may_edit: false };
const PROVER: AnswerRights = { ...APPROVER, must_prove_input: true };

/** A reply in which a refund of 5 asks, and a cancellation beside it. */
async function askingDesk(rules: readonly PermissionRule[] = []): Promise<ApprovalDesk> {
  const desk = new ApprovalDesk({
    script: `/call refund ${INPUT}\n/call cancel {}\n/say Done`,
    tools: {
      refund: {
        read_only: false,
        concurrency_safe: true,
        input_schema: amountSchema,
        run: () => "refunded",
      },
      cancel: { read_only: false, concurrency_safe: true, run: () => "gone" },
    },
    rules,
  });
  await desk.run();
  expect(desk.states).toEqual(["asking", "asking"]);
  return desk;
}

interface RefusedCase {
  readonly title: string;
  readonly answer: Partial<ShortAnswer>;
  readonly rights?: AnswerRights;
  /** Hashes that come with it, by the call's place. */
  readonly hashes?: readonly string[];
  readonly code: string;
  readonly pointer?: string;
  readonly detail: string;
}

const CASES: readonly RefusedCase[] = [
  {
    title: "another tool's name",
    answer: { name: "cancel" },
    code: "tool_name_changed",
    pointer: "/tool_call/name",
    detail: "The call is one of refund; an answer cannot make it one of another tool.",
  },
  {
    title: "another tool's name on a refusal",
    answer: { name: "cancel", confirmed: false },
    code: "tool_name_changed",
    pointer: "/tool_call/name",
    detail: "The call is one of refund; an answer cannot make it one of another tool.",
  },
  {
    title: "another input by somebody who may not edit",
    answer: { input: '{"amount":6}' },
    rights: READER,
    code: "verb_missing",
    pointer: "/tool_call/input",
    detail: "This credential may allow the call, but not edit its input: it lacks the verb edit.",
  },
  {
    title: "an input that nobody can read, by somebody who may not edit",
    answer: { input: "[".repeat(100) },
    rights: READER,
    code: "verb_missing",
    pointer: "/tool_call/input",
    detail: "This credential may allow the call, but not edit its input: it lacks the verb edit.",
  },
  {
    title: "no hash where one has to come back",
    answer: {},
    rights: PROVER,
    code: "input_hash_missing",
    detail:
      "With this credential, metadata.input_hashes (payload.inputHash in a run of AG-UI) must have the call's hash.",
  },
  {
    title: "the hash of another input",
    answer: {},
    hashes: [inputHash("refund", '{"amount":6}')],
    code: "input_hash_mismatch",
    detail: "The hash is not that of the input that was asked about.",
  },
  {
    title: "the hash of another input, from one who has to prove it",
    answer: { confirmed: false },
    rights: PROVER,
    hashes: ["sha256:"],
    code: "input_hash_mismatch",
    detail: "The hash is not that of the input that was asked about.",
  },
  {
    title: "an edit that is no JSON",
    answer: { input: '{"amount":5' },
    code: "edited_input_invalid",
    pointer: "/tool_call/input",
    detail: "The edited input is not JSON.",
  },
  {
    title: "an edit that is empty",
    answer: { input: "" },
    code: "edited_input_invalid",
    pointer: "/tool_call/input",
    detail: "The edited input is not JSON.",
  },
  {
    title: "an edit that does not fit the schema",
    answer: { input: '{"amount":"all"}' },
    code: "edited_input_invalid",
    pointer: "/tool_call/input",
    detail:
      "The edited input does not fit the schema of refund: #/amount has to be of type number, and is of type string.",
  },
  {
    title: "an edit that is nested too deep",
    answer: { input: `{"amount":5,"more":${"[".repeat(100)}${"]".repeat(100)}}` },
    code: "edited_input_invalid",
    pointer: "/tool_call/input",
    detail: "The edited input has more than 64 levels.",
  },
  {
    title: "an edit of more values than a body may have",
    answer: { input: `{"amount":5,"more":[${"1,".repeat(20_000)}1]}` },
    code: "edited_input_invalid",
    pointer: "/tool_call/input",
    detail: "The edited input has more than 20000 values.",
  },
  {
    title: "a rule from one who may give none",
    answer: { rules: [refund("allow")] },
    rights: { ...APPROVER, may_take_rules: false },
    code: "rules_forbidden",
    pointer: "/rules",
    detail: "This credential may not give rules.",
  },
  {
    title: "a rule for another tool",
    answer: { rules: [refund("allow"), OTHER] },
    code: "rule_not_suggested",
    pointer: "/rules/1",
    detail: "This rule was not suggested for the call.",
  },
  {
    title: "a suggested rule with other content",
    answer: { rules: [{ ...refund("allow"), rule_content: "*" }] },
    code: "rule_not_suggested",
    pointer: "/rules/0",
    detail: "This rule was not suggested for the call.",
  },
  {
    title: "a suggested rule with another behavior",
    answer: { confirmed: false, rules: [refund("deny")] },
    code: "rule_not_suggested",
    pointer: "/rules/0",
    detail: "This rule was not suggested for the call.",
  },
  {
    title: "a rule that does nothing, from one who may write rules",
    answer: { rules: [refund("passthrough")] },
    rights: WRITER,
    code: "validation_failed",
    pointer: "/rules/0/behavior",
    detail: "A rule that passes through does nothing.",
  },
  {
    title: "a rule of more text than a rule may have",
    answer: { rules: [{ ...refund("allow"), rule_content: "x".repeat(4_097) }] },
    rights: WRITER,
    code: "validation_failed",
    pointer: "/rules/0/rule_content",
    detail: "At most 4096 characters.",
  },
  {
    title: "a rule that denies the very call",
    answer: { rules: [refund("deny")] },
    rights: WRITER,
    code: "denied_by_rule",
    detail: "A rule that comes with the event denies this call.",
  },
  {
    title: "a call that the credential is not about",
    answer: {},
    rights: { ...APPROVER, tool_call_ids: ["another"] },
    code: "call_not_pending",
    detail: "No such call waits.",
  },
];

describe("a confirmation is refused", () => {
  it.each(CASES)("for $title", async ({ answer, rights, hashes, code, pointer = "", detail }) => {
    const desk = await askingDesk();
    const before = desk.log.events.length;
    const ids = desk.calls.map(({ id }) => id);
    const input_hashes = Object.fromEntries((hashes ?? []).map((hash, n) => [ids[n], hash]));
    const answered = desk.confirm([{ call: 0, ...answer }, { call: 1 }], {
      ...(rights && { rights }),
      metadata: { input_hashes },
    });

    expect(answered).toMatchObject({
      ok: false,
      refusal: {
        code,
        detail,
        errors: [{ pointer: `#/confirm_results/0${pointer}`, detail }],
      },
    });
    if (code !== "validation_failed") {
      expect(answered).toMatchObject({ refusal: { extensions: { tool_call_id: ids[0] } } });
    }
    expect(desk.log.events).toHaveLength(before);
    expect(desk.states).toEqual(["asking", "asking"]);
    expect(desk.rules).toEqual([]);
  });

  it("for a deny rule that came after the question, whose rule it names", async () => {
    const desk = await askingDesk();
    const rule = refund("deny");
    desk.rules.push(rule);

    expect(desk.confirm([{ call: 0 }])).toMatchObject({
      refusal: { code: "denied_by_rule", extensions: { rule } },
    });
    expect(desk.confirm([{ call: 0, confirmed: false }]).ok).toBe(true);
  });

  it("for a call of another reply, and for one that the reply does not have", async () => {
    const desk = await askingDesk();
    const event = desk.confirmation([{ call: 0 }]);
    const [result] = event.confirm_results;
    const unknown = { ...result, tool_call: { ...result?.tool_call, id: "call_99" } };
    const events = [
      { ...event, reply_id: "rep_2" },
      { ...event, confirm_results: [unknown as NonNullable<typeof result>] },
    ];

    for (const each of events) {
      expect(answerConfirmations(desk.log.state, each, desk.context())).toMatchObject({
        ok: false,
        refusal: { code: "call_not_pending", extensions: { state: null } },
      });
    }
  });

  it("for a call that still waits for its turn to be asked about", async () => {
    const desk = new ApprovalDesk({
      script: "/call refund {}\n/call refund {}\n/say Done",
      tools: { refund: { read_only: false, run: () => "refunded" } },
    });
    await desk.run();

    expect(desk.confirm([{ call: 1 }])).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: "pending" } },
    });
  });

  it.each([
    ["it answers no call", [], "#/confirm_results"],
    ["it answers one twice", [{ call: 0 }, { call: 0 }], "#/confirm_results/1"],
  ])("when %s", async (_, answers, pointer) => {
    const desk = await askingDesk();

    expect(desk.confirm(answers)).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed", errors: [{ pointer }] },
    });
  });

  it("when the reply has no room for the edit; a short one always fits", async () => {
    const desk = await askingDesk();
    const full = { ...desk.log.state, characters: MAX_REPLY_CHARACTERS };
    const edit = (length: number) => {
      const input = `{"amount":3,"note":"${"x".repeat(length - 22)}"}`;
      return answerConfirmations(full, desk.confirmation([{ call: 0, input }]), desk.context());
    };

    expect(edit(MIN_ANSWER_CHARACTERS)).toMatchObject({ ok: true });
    expect(edit(MIN_ANSWER_CHARACTERS + 1)).toMatchObject({
      ok: false,
      refusal: {
        code: "body_too_large",
        errors: [{ pointer: "#/confirm_results/0/tool_call/input" }],
      },
    });
    const before = desk.log.state.characters;
    desk.confirm([{ call: 0, input: '{"amount":3}' }]);
    expect(desk.log.state.characters).toBe(before + '{"amount":3}'.length);
  });

  it("when its metadata is more than the log should keep", async () => {
    const desk = await askingDesk();
    const metadata = { note: "x".repeat(70_000) };

    expect(desk.confirm([{ call: 0 }], { metadata })).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed", errors: [{ pointer: "#/metadata" }] },
    });
  });
});

describe("an answer that was given before", () => {
  it("is the same answer, without a trace, until its call has its result", async () => {
    const desk = await askingDesk();
    desk.confirm([{ call: 0, rules: [refund("allow")] }]);
    const before = desk.log.events.length;
    const again = desk.confirm([
      { call: 0, input: '{ "amount": 5.0 }', rules: [{ ...refund("allow"), source: "x" }] },
    ]);

    expect(again).toEqual({
      ok: true,
      value: { applied: false, events: [], rules: [], answers: new Map() },
    });
    expect(desk.log.events).toHaveLength(before);
    expect(desk.rules).toHaveLength(1);
  });

  it.each<[string, Partial<ShortAnswer>]>([
    ["a no after a yes", { confirmed: false }],
    ["another input", { input: '{"amount":6}' }],
    ["a rule more", { rules: [refund("allow")] }],
    ["another tool's name", { name: "cancel" }],
  ])("is refused when it differs: %s", async (_, second) => {
    const desk = await askingDesk();
    desk.confirm([{ call: 0 }]);

    expect(desk.confirm([{ call: 0, ...second }])).toMatchObject({
      ok: false,
      refusal: { code: "confirmation_used", extensions: { same_answer: false } },
    });
  });

  it("is used up when its call has run, or was refused", async () => {
    const desk = await askingDesk();
    desk.confirm([{ call: 0 }]);
    desk.confirm([{ call: 1, confirmed: false }]);
    await desk.run();

    expect(desk.confirm([{ call: 0 }])).toMatchObject({
      refusal: { code: "confirmation_used", extensions: { same_answer: true } },
    });
    expect(desk.confirm([{ call: 1, confirmed: false }])).toMatchObject({
      refusal: { code: "confirmation_used", extensions: { same_answer: true } },
    });
    expect(desk.states).toEqual(["finished success", "finished denied"]);
  });

  it("beside a new one in the same event leaves only the new one in the log", async () => {
    const desk = await askingDesk();
    desk.confirm([{ call: 0 }]);
    const answered = desk.confirm([{ call: 0 }, { call: 1 }]);

    expect(answered).toMatchObject({
      value: { applied: true, events: [{ confirm_results: [{ tool_call: { name: "cancel" } }] }] },
    });
    expect(desk.states).toEqual(["allowed", "allowed"]);
  });
});
