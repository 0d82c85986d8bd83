// A client's answers to interrupts, as those that every other client posts.
import { describe, expect, it } from "vitest";

import { answersOf, type Answers } from "../../../protocol/dialects/ag-ui/input/answers-of.ts";
import {
  interruptId,
  parseInterruptId,
} from "../../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type {
  ClientResult,
  ResumeEntry,
} from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import type { Refusal } from "../../../protocol/errors.ts";

const REFUND = { id: "c1", kind: "permission", name: "refund" } as const;
const SHIP = { id: "c2", kind: "external_result", name: "ship" } as const;

function entry(id: string, payload?: unknown, more: Partial<ResumeEntry> = {}): ResumeEntry {
  const interrupt_id = `rep_1:${id}`;
  return { interrupt_id, status: "resolved", payload, pointer: "#/resume/0", ...more };
}

function message(tool_call_id: string, output: string, message_id = "m1"): ClientResult {
  return { message_id, tool_call_id, output, state: "success" };
}

function ask(resume: readonly ResumeEntry[], results: readonly ClientResult[] = []) {
  return answersOf({ reply_id: "rep_1", waiting: [REFUND, SHIP], resume, results });
}

function answers(resume: readonly ResumeEntry[], results: readonly ClientResult[] = []): Answers {
  const outcome = ask(resume, results);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

function refusal(...resume: readonly ResumeEntry[]): Refusal | null {
  const outcome = ask(resume);
  return outcome.ok ? null : outcome.refusal;
}

/** The results of one call, without ids and times of blocks. */
function results(resume: readonly ResumeEntry[], messages: readonly ClientResult[] = []): object[] {
  return answers(resume, messages).results.map(({ id, name, output, state, metadata }) => {
    return { id, name, output, state, metadata };
  });
}

describe("an answer to a question", () => {
  it("approves, with other arguments, rules and the input's hash", () => {
    const rules = [{ tool_name: "refund", rule_content: null, behavior: "allow", source: "x" }];
    const payload = { approved: true, editedArgs: { amount: 5 }, rules, unknown: 1 };
    expect(answers([entry("c1", payload, { input_hash: "sha256:0" })])).toMatchObject({
      confirmations: [
        {
          confirmed: true,
          tool_call: { type: "tool_call", id: "c1", name: "refund", input: '{"amount":5}' },
          rules,
        },
      ],
      hashes: { c1: "sha256:0" },
      results: [],
      unanswered: [SHIP],
      unknown: [],
    });
  });

  it("leaves the input as it was asked about when it edits nothing", () => {
    const [confirmation] = answers([
      entry("c1", { approved: true, editedArgs: null }),
    ]).confirmations;
    expect(confirmation?.tool_call).not.toHaveProperty("input");
    expect(confirmation?.rules).toBeNull();
  });

  it("denies by false, and by giving up", () => {
    const given = [{ approved: false }, { approved: false, editedArgs: { amount: 5 } }];
    for (const payload of given) {
      const [confirmation] = answers([entry("c1", payload)]).confirmations;
      expect(confirmation).toMatchObject({ confirmed: false });
      expect(confirmation?.tool_call).not.toHaveProperty("input");
    }
    const cancelled = entry("c1", { approved: true }, { status: "cancelled" });
    expect(answers([cancelled]).confirmations).toMatchObject([{ confirmed: false, rules: null }]);
  });

  it("says why, also by giving up, of which nothing else counts", () => {
    const reason = "Too much.";
    const given = [
      entry("c1", { approved: false, reason }),
      entry("c1", { approved: true, rules: "all", reason }, { status: "cancelled" }),
      entry("c1", { approved: false, reason: null }),
      entry("c1", undefined, { status: "cancelled" }),
    ];

    expect(given.map((one) => answers([one]).confirmations)).toMatchObject([
      [{ confirmed: false, rules: null, reason }],
      [{ confirmed: false, rules: null, reason }],
      [{ confirmed: false, reason: null }],
      [{ confirmed: false, reason: undefined }],
    ]);
  });

  it("is refused when it is not what was asked for", () => {
    const wrong: [unknown, string][] = [
      [undefined, "/approved"],
      ["yes", "/approved"],
      [{ approved: "true" }, "/approved"],
      [{ approved: true, editedArgs: [1] }, "/editedArgs"],
      [{ approved: true, rules: "all" }, "/rules"],
      [{ approved: false, reason: 7 }, "/reason"],
      [{ approved: false, reason: "x".repeat(2_001) }, "/reason"],
      [{ approved: true, rules: [{ tool_name: "f" }] }, "/rules/0/behavior"],
    ];
    for (const [payload, place] of wrong) {
      expect(refusal(entry("c1", payload))).toMatchObject({
        code: "resume_invalid",
        errors: [{ pointer: `#/resume/0/payload${place}` }],
      });
    }
  });

  it("is never a message: the transcript does not decide what may run", () => {
    expect(answers([], [message("c1", '{"approved":true}')])).toMatchObject({
      confirmations: [],
      results: [],
      unanswered: [REFUND, SHIP],
    });
  });
});

describe("a result", () => {
  it("is a text, a result as it is posted, or whatever came out as JSON", () => {
    const given: [unknown, unknown, string][] = [
      ["done", "done", "success"],
      [{ output: "done" }, "done", "success"],
      [{ output: "broken", state: "error" }, "broken", "error"],
      [{ output: 5 }, '{"output":5}', "success"],
      [{ output: "x", state: "CA" }, '{"output":"x","state":"CA"}', "success"],
      [{ output: "x", more: 1 }, '{"output":"x","more":1}', "success"],
      [[1, 2], "[1,2]", "success"],
      [0, "0", "success"],
      [false, "false", "success"],
      ["", "", "success"],
    ];
    for (const [payload, output, state] of given) {
      expect(results([entry("c2", payload)])).toEqual([
        { id: "c2", name: "ship", output, state, metadata: {} },
      ]);
    }
    const output = [{ type: "text", text: "done" }];
    expect(results([entry("c2", { output })])).toMatchObject([{ output, state: "success" }]);
  });

  it("is an error when it is given up, and refused when it is missing", () => {
    expect(results([entry("c2", "done", { status: "cancelled" })])).toEqual([
      {
        id: "c2",
        name: "ship",
        output: "The call was cancelled.",
        state: "error",
        metadata: {},
      },
    ]);
    expect(refusal(entry("c2"))).toMatchObject({
      code: "resume_invalid",
      errors: [{ pointer: "#/resume/0/payload" }],
    });
  });

  it("may be a message, the newest of its call, which keeps its id", () => {
    const messages = [message("c2", "first", "m1"), message("c2", "second", "m2")];
    expect(results([], messages)).toEqual([
      {
        id: "c2",
        name: "ship",
        output: "second",
        state: "success",
        metadata: { ag_ui_message_id: "m2" },
      },
    ]);
  });

  it("that comes both ways is one: the entry's, or the message's when the entry has none", () => {
    const metadata = { ag_ui_message_id: "m1" };
    const both = results([entry("c2", { label: 7 })], [message("c2", "label 7")]);
    expect(both).toMatchObject([{ output: '{"label":7}', metadata }]);
    const bare = results([entry("c2")], [message("c2", "label 7")]);
    expect(bare).toMatchObject([{ output: "label 7", metadata }]);
  });
});

describe("answers", () => {
  it("name what they answer once, or twice in the same words", () => {
    const yes = entry("c1", { approved: true });
    expect(answers([yes, { ...yes, pointer: "#/resume/1" }]).confirmations).toHaveLength(1);
    const no = entry("c1", { approved: false }, { pointer: "#/resume/1" });
    expect(refusal(yes, no)).toMatchObject({
      code: "resume_invalid",
      errors: [{ pointer: "#/resume/1" }],
    });
  });

  it("that name no call that waits are told apart", () => {
    const strangers = [entry("c3", "x"), entry("c1", "x", { interrupt_id: "rep_2:c1" })];
    expect(answers([entry("c2", "done"), ...strangers])).toMatchObject({
      unknown: strangers,
      unanswered: [REFUND],
    });
    expect(answers([], [message("c3", "x")]).results).toEqual([]);
  });

  it("come all of them, in the order of the calls", () => {
    const given = answers([entry("c2", "done"), entry("c1", { approved: true })]);
    expect(given.confirmations.map(({ tool_call }) => tool_call.id)).toEqual(["c1"]);
    expect(given.results.map(({ id }) => id)).toEqual(["c2"]);
    expect(given.unanswered).toEqual([]);
  });
});

describe("an interrupt's id", () => {
  it("names the reply and the call, whatever the model called it", () => {
    const id = interruptId("rep_1", "call:with:colons");
    expect(parseInterruptId(id)).toEqual({ reply_id: "rep_1", call_id: "call:with:colons" });
    for (const none of ["", "x", ":x"]) expect(parseInterruptId(none)).toBeNull();
  });
});
