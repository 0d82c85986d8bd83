// Sequences H2 to H10, H24 and H25 of the reference: what a person is asked, and what follows from the answer.
import { describe, expect, it } from "vitest";

import { ApprovalDesk } from "../../support/approval-desk.ts";
import type { FunctionTool } from "../../support/function-tools.ts";

const asked = { read_only: false } satisfies Partial<FunctionTool>;
const beside = { read_only: false, concurrency_safe: true } satisfies Partial<FunctionTool>;
const MODEL_TEXT = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_DELTA",
  "TEXT_BLOCK_END",
  "MODEL_CALL_END",
];
const CALL = ["TOOL_CALL_START", "TOOL_CALL_DELTA", "TOOL_CALL_END"];
const ONE_CALL = ["MODEL_CALL_START", ...CALL, "MODEL_CALL_END"];
const TWO_CALLS = [
  "MODEL_CALL_START",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_END",
  "TOOL_CALL_END",
  "MODEL_CALL_END",
];
const RESULT = ["TOOL_RESULT_START", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"];
const REST = [...MODEL_TEXT, "REPLY_END"];
const ALLOW_REFUND = {
  tool_name: "refund",
  rule_content: null,
  behavior: "allow",
  source: "suggested",
} as const;

function refundDesk(tool: Partial<FunctionTool> = asked, calls = 1): ApprovalDesk {
  const script = [
    ...Array.from({ length: calls }, (_, n) => `/call refund {"n":${n}}`),
    "/say Done",
  ];
  return new ApprovalDesk({
    script: script.join("\n"),
    tools: { refund: { ...tool, run: ({ n }: { n: number }) => `refunded ${n}` } },
  });
}

function twoTools(tool: Partial<FunctionTool>): ApprovalDesk {
  return new ApprovalDesk({
    script: "/call refund {}\n/call cancel {}\n/say Done",
    tools: { refund: { ...tool, run: () => "refunded" }, cancel: { ...tool, run: () => "gone" } },
  });
}

/** The calls of each question, as its event has them. */
function asks(desk: ApprovalDesk): readonly unknown[] {
  return desk.log.events.flatMap((event) =>
    event.type === "REQUIRE_USER_CONFIRM" ? [event.tool_calls.map(({ id }) => id)] : [],
  );
}

/** The types of the events of one call's result. */
function resultTypes(desk: ApprovalDesk, id: string): readonly string[] {
  return desk.log.events.flatMap((event) =>
    event.type.startsWith("TOOL_RESULT") && "tool_call_id" in event && event.tool_call_id === id
      ? [event.type]
      : [],
  );
}

describe("a call that a person has to allow", () => {
  it("H2: is asked about, with its hash, its reason and its time, and parks the reply", async () => {
    const desk = refundDesk();

    expect(await desk.run()).toEqual([...ONE_CALL, "REQUIRE_USER_CONFIRM"]);
    expect(desk.log.parked).toBe("awaiting_permission");
    const [call] = desk.calls;
    const id = call?.id ?? "";
    const ask = desk.log.events.at(-1);
    expect(ask).toMatchObject({
      tool_calls: [{ id, name: "refund", state: "asking", suggested_rules: [ALLOW_REFUND] }],
    });
    expect(ask?.metadata).toEqual({
      // SHA-256 of `refund\n{"n":0}`.
      input_hashes: {
        [id]: "sha256:a937ffb34b0f4522e162fbafdc77ebd1b174dcb88935a274f6ae9c15c1d2943e",
      },
      questions: { [id]: "Run `refund` with n 0?" },
      reasons: { [id]: "Mode: default" },
      rules: { [id]: null },
      expires_at: { [id]: "2026-01-02T00:00:00.000Z" },
    });
  });

  it("H2: is asked about with the rule that says so, when one does", async () => {
    const rule = { ...ALLOW_REFUND, behavior: "ask", source: "agent" } as const;
    const desk = new ApprovalDesk({
      script: "/call refund {}\n/say Done",
      tools: { refund: { run: () => "refunded" } },
      rules: [rule],
    });
    await desk.run();

    const id = desk.calls[0]?.id ?? "";
    expect(desk.log.events.at(-1)?.metadata).toMatchObject({
      reasons: { [id]: "Rule: refund" },
      rules: { [id]: rule },
    });
  });

  it("H3: runs when the answer is yes, and the reply goes on to its end", async () => {
    const desk = refundDesk();
    await desk.run();
    const answered = desk.confirm([{ call: 0 }]);

    expect(answered).toMatchObject({ ok: true, value: { applied: true, rules: [] } });
    expect(await desk.run()).toEqual([...RESULT, ...REST]);
    expect(desk.states).toEqual(["finished success"]);
    expect(desk.calls[0]?.suggested_rules).toEqual([ALLOW_REFUND]);
    expect(desk.log.state.iterations).toBe(2);
    const start = desk.log.events.find((event) => event.type === "TOOL_RESULT_START");
    expect(start?.metadata).toEqual({});
  });

  it("H4: is denied when the answer is no, the model is told why, and the round counts", async () => {
    const desk = refundDesk();
    await desk.run();
    desk.confirm([{ call: 0, confirmed: false, reason: " The parcel never left.\n" }]);

    expect(desk.typesOf(Infinity).slice(-4)).toEqual(["USER_CONFIRM_RESULT", ...RESULT]);
    expect(desk.states).toEqual(["finished denied"]);
    expect(desk.log.state.iterations).toBe(1);
    expect(desk.log.state.message.content.at(-1)).toMatchObject({
      output: [
        {
          text: "A person denied the call of refund: it was not made. Their reason: The parcel never left.",
        },
      ],
      metadata: { denial_reason: "The parcel never left." },
    });
    expect(await desk.run()).toEqual(REST);
    expect(desk.log.state.message.finished_reason).toBe("completed");
    expect(desk.log.state.iterations).toBe(2);
  });

  it("H5: is asked about after the one before it was answered, when tools run in order", async () => {
    const desk = twoTools(asked);

    expect(await desk.run()).toEqual([...TWO_CALLS, "REQUIRE_USER_CONFIRM"]);
    expect(desk.states).toEqual(["asking", "pending"]);
    desk.confirm([{ call: 0 }]);
    expect(await desk.run()).toEqual([...RESULT, "REQUIRE_USER_CONFIRM"]);
    expect(desk.states).toEqual(["finished success", "asking"]);
    desk.confirm([{ call: 1 }]);
    expect(await desk.run()).toEqual([...RESULT, ...REST]);
    expect(desk.states).toEqual(["finished success", "finished success"]);
  });

  it("H6: is not asked about when the question beside it offers a rule that covers it", async () => {
    const desk = refundDesk(beside, 2);

    expect(await desk.run()).toEqual([...TWO_CALLS, "REQUIRE_USER_CONFIRM"]);
    expect(asks(desk)).toEqual([[desk.calls[0]?.id]]);
    expect(desk.states).toEqual(["asking", "pending"]);
    expect(desk.calls[1]?.suggested_rules).toEqual([]);
  });

  it("H6: of more calls than run at once one is asked about, and none for ever forgotten", async () => {
    const desk = refundDesk(beside, 6);
    await desk.run();

    expect(desk.states).toEqual(["asking", ...Array.from({ length: 5 }, () => "pending")]);
    desk.confirm([{ call: 0, rules: [ALLOW_REFUND] }]);
    await desk.run();
    expect(desk.states).toEqual(Array.from({ length: 6 }, () => "finished success"));
  });

  it.each([
    ["one that the suggestion covers", "git commit -m a", "git commit -m b", "pending"],
    ["one that it does not cover", "git commit -m a", "npm publish", "asking"],
    ["a dangerous one, like the first", "rm -rf /", "rm -rf /", "asking"],
  ])("H6: is held against what the suggested rule says: %s", async (_, first, second, state) => {
    const lines = [first, second].map((command) => `/call sh ${JSON.stringify({ command })}`);
    const matching = { rule_argument: "/command", rule_syntax: "command" } as const;
    const desk = new ApprovalDesk({
      script: [...lines, "/say Done"].join("\n"),
      tools: { sh: { ...beside, ...matching, run: () => "done" } },
    });
    await desk.run();

    expect(desk.states).toEqual(["asking", state]);
  });

  it("H7: runs without a question once the rule is taken", async () => {
    const desk = refundDesk(beside, 2);
    await desk.run();
    const answered = desk.confirm([{ call: 0, rules: [ALLOW_REFUND] }]);

    expect(answered).toMatchObject({ value: { rules: [ALLOW_REFUND] } });
    const types = await desk.run();
    expect(types.filter((type) => type === "REQUIRE_USER_CONFIRM")).toEqual([]);
    expect(types.slice(-REST.length)).toEqual(REST);
    expect(desk.states).toEqual(["finished success", "finished success"]);
    const starts = desk.log.events.filter((event) => event.type === "TOOL_RESULT_START");
    expect(starts.map(({ metadata }) => metadata)).toMatchObject([
      {},
      { decision: { behavior: "allow", rule: ALLOW_REFUND } },
    ]);
  });

  it("H8: is asked about in its turn when no rule was taken", async () => {
    const desk = refundDesk(beside, 2);
    await desk.run();
    desk.confirm([{ call: 0 }]);

    const types = await desk.run();
    expect(types.toSorted()).toEqual([...RESULT, "REQUIRE_USER_CONFIRM"].toSorted());
    expect(desk.states).toEqual(["finished success", "asking"]);
    expect(desk.log.parked).toBe("awaiting_permission");
  });

  it("H9: is asked about beside one of another tool, and one event answers both", async () => {
    const desk = twoTools(beside);

    expect(await desk.run()).toEqual([
      ...TWO_CALLS,
      "REQUIRE_USER_CONFIRM",
      "REQUIRE_USER_CONFIRM",
    ]);
    expect(asks(desk)).toEqual(desk.calls.map(({ id }) => [id]));
    desk.confirm([{ call: 0 }, { call: 1 }]);
    expect((await desk.run()).slice(-REST.length)).toEqual(REST);
    for (const { id } of desk.calls) expect(resultTypes(desk, id)).toEqual(RESULT);
    expect(desk.states).toEqual(["finished success", "finished success"]);
    expect(desk.log.state.iterations).toBe(2);
  });

  it("H10: parks again, without a second question, when one of two was answered", async () => {
    const desk = twoTools(beside);
    await desk.run();
    desk.confirm([{ call: 0 }]);

    expect(await desk.run()).toEqual(RESULT);
    expect(desk.log.parked).toBe("awaiting_permission");
    expect(desk.states).toEqual(["finished success", "asking"]);
    expect(desk.log.state).toMatchObject({ iterations: 0, message: { finished_reason: null } });
    desk.confirm([{ call: 1 }]);
    expect(await desk.run()).toEqual([...RESULT, ...REST]);
    expect(desk.log.state).toMatchObject({
      iterations: 2,
      message: { finished_reason: "completed" },
    });
    const modelCalls = desk.log.events.filter((event) => event.type === "MODEL_CALL_START");
    expect(modelCalls).toHaveLength(2);
  });
});

describe("calls that nobody is asked about", () => {
  it.each([
    ["of an unknown tool", "/call nothing {}", {}],
    ["with input that is no JSON", "/call refund ]][", {}],
    ["with input against the schema", '/call refund "text"', {}],
  ])("H24: those %s get an error before any rule is looked at", async (_, line, metadata) => {
    const desk = new ApprovalDesk({
      script: `${line}\n/say Sorry`,
      tools: { refund: { ...asked, run: () => "refunded" } },
    });

    expect(await desk.run()).toEqual([...ONE_CALL, ...RESULT, ...REST]);
    expect(desk.states).toEqual(["finished error"]);
    const start = desk.log.events.find((event) => event.type === "TOOL_RESULT_START");
    expect(start?.metadata).toEqual(metadata);
  });

  it("H25: those that a rule denies are denied, and the decision names the rule", async () => {
    const rule = { ...ALLOW_REFUND, behavior: "deny", source: "agent" } as const;
    const desk = new ApprovalDesk({
      script: "/call refund {}\n/say Sorry",
      tools: { refund: { ...asked, run: () => "refunded" } },
      rules: [rule],
    });

    expect(await desk.run()).toEqual([...ONE_CALL, ...RESULT, ...REST]);
    expect(desk.states).toEqual(["finished denied"]);
    const start = desk.log.events.find((event) => event.type === "TOOL_RESULT_START");
    expect(start?.metadata).toEqual({
      decision: { behavior: "deny", reason: "Rule: refund", rule },
    });
  });

  it("those that only look are let through, and the decision says why", async () => {
    const desk = refundDesk({ read_only: true });
    await desk.run();

    const start = desk.log.events.find((event) => event.type === "TOOL_RESULT_START");
    expect(start?.metadata).toEqual({
      decision: {
        behavior: "allow",
        reason: "Read-only operations are auto-allowed",
        rule: null,
      },
    });
  });
});
