// Questions that a task waits with, for people, and their answers as parts of the next message.
import { describe, expect, it } from "vitest";

import { answerParts, readQuestions } from "../../../agent/a2a/read-questions.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import type { A2aMessage, A2aPart } from "../../../protocol/a2a/wire.ts";

const said = (parts: readonly A2aPart[]): A2aMessage => ({
  messageId: "m",
  role: "ROLE_AGENT",
  parts,
});
const asked = (...questions: object[]): A2aMessage =>
  said([{ text: "See the data." }, { data: { [A2A_EXTENSION]: { questions } } }]);

const CONFIRM = { kind: "confirmation", call_id: "c1", tool: "refund", arguments: '{"token":"A"}' };
const RESULT = { kind: "external_result", call_id: "c2", tool: "print", arguments: "{}" };

describe("a task that waits", () => {
  it("asks its typed questions, each with a form of its own", () => {
    const read = readQuestions(asked(CONFIRM, RESULT), false);

    expect(read).toEqual({
      ok: true,
      asked: [
        { kind: "confirmation", key: "c1" },
        { kind: "external_result", key: "c2" },
      ],
      settled: {},
      requests: {
        c1: {
          mode: "form",
          message: 'May it call refund?\n{"token":"A"}',
          requested_schema: {
            type: "object",
            properties: { confirmed: { type: "boolean", title: "Allow this call" } },
            required: ["confirmed"],
            additionalProperties: false,
          },
        },
        c2: {
          mode: "form",
          message: "The result of print {}",
          requested_schema: {
            type: "object",
            properties: { output: { type: "string", title: "Result" } },
            required: ["output"],
            additionalProperties: false,
          },
        },
      },
    });
  });

  it.each([
    [{ action: "accept", content: { confirmed: true } }, true],
    [{ action: "accept", content: { confirmed: false } }, false],
    [{ action: "accept", content: { confirmed: "true" } }, false],
    [{ action: "accept", content: {} }, false],
    [{ action: "decline" }, false],
    [{ action: "cancel" }, false],
  ] as const)("takes %j as a confirmation that says %s", (response, confirmed) => {
    const parts = answerParts([{ kind: "confirmation", key: "c1" }], { c1: response });

    const answers = [{ kind: "confirmation", call_id: "c1", confirmed }];
    expect(parts).toEqual([{ data: { [A2A_EXTENSION]: { answers } } }]);
  });

  it("gets results and inputs as data", () => {
    const parts = answerParts(
      [
        { kind: "external_result", key: "c2" },
        { kind: "input", key: "c3" },
      ],
      { c2: { action: "decline" }, c3: { action: "accept", content: { n: 1 } } },
    );

    const answers = [
      {
        kind: "external_result",
        call_id: "c2",
        output: "The user has given no result.",
        is_error: true,
      },
      { kind: "input", call_id: "c3", action: "accept", content: { n: 1 } },
    ];
    expect(parts).toEqual([{ data: { [A2A_EXTENSION]: { answers } } }]);
  });

  it("of an agent without our extension is asked and answered in words", () => {
    const read = readQuestions(said([{ text: "Which order?" }]), false);

    expect(read.ok && [read.asked, read.requests["text"]?.message]).toEqual([
      [{ kind: "text", key: "text" }],
      "Which order?",
    ]);
    const question = { kind: "text", key: "text" } as const;
    const given = { text: { action: "accept", content: { answer: "A-1" } } } as const;
    expect(answerParts([question], given)).toEqual([{ text: "A-1" }]);
    expect(answerParts([question], { text: { action: "decline" } })).toBeNull();
  });

  it("that needs a sign-in shows the page, and is told that it is done", () => {
    const page = { url: "https://id.example/sign-in" };
    const read = readQuestions(said([{ text: "Sign in first." }, page]), true);

    expect(read.ok && read.requests).toEqual({
      errand: { mode: "url", message: "Sign in first.", ...page },
    });
    const question = { kind: "errand", key: "errand" } as const;
    expect(answerParts([question], { errand: { action: "accept" } })).toEqual([
      { text: "The user says that it is done." },
    ]);
    expect(answerParts([question], {})).toBeNull();
  });

  it("that asks for a password as plain text is shown to nobody", () => {
    const read = readQuestions(said([{ text: "What is your password?" }]), false);

    expect(read).toEqual({
      ok: true,
      asked: [{ kind: "text", key: "text" }],
      requests: {},
      settled: { text: { action: "decline" } },
    });
  });

  it.each([
    [[CONFIRM, CONFIRM], "asks the same question twice"],
    [
      Array.from({ length: 9 }, (_, n) => ({ ...CONFIRM, call_id: `c${n}` })),
      "asks too many questions at once",
    ],
    [
      [{ kind: "sign_in", call_id: "c", tool: "t", url: "javascript:alert(1)" }],
      "gives a link that cannot be opened",
    ],
  ])("with %# is refused", (questions, problem) => {
    expect(readQuestions(asked(...questions), false)).toEqual({ ok: false, problem });
  });

  it.each([
    [{ bytes: 5_000 }, "[arguments of 5000 bytes, which are not shown]"],
    [{ bytes: { toString: null } }, "[arguments that are not shown]"],
    [{ bytes: "5, and yes" }, "[arguments that are not shown]"],
    [{}, "[arguments that are not shown]"],
  ])("with arguments that are left out as %j says so", (omitted, said_of_it) => {
    const { arguments: _, ...rest } = CONFIRM;
    const read = readQuestions(asked({ ...rest, omitted }), false);

    expect(read.ok && read.requests["c1"]?.message).toBe(`May it call refund?\n${said_of_it}`);
  });

  it("gets back the hash of what was shown for a confirmation", () => {
    const read = readQuestions(asked({ ...CONFIRM, input_hash: "sha256:ab" }), false);
    const asked_of = read.ok ? read.asked : [];
    const parts = answerParts(asked_of, { c1: { action: "accept", content: { confirmed: true } } });

    const answer = { kind: "confirmation", call_id: "c1", confirmed: true };
    const answers = [{ ...answer, input_hash: "sha256:ab" }];
    expect(asked_of).toEqual([{ kind: "confirmation", key: "c1", input_hash: "sha256:ab" }]);
    expect(parts).toEqual([{ data: { [A2A_EXTENSION]: { answers } } }]);
  });

  it.each([5, { toString: null }, "", "x".repeat(257)])("has no hash that is %j", (input_hash) => {
    const read = readQuestions(asked({ ...CONFIRM, input_hash }), false);

    expect(read.ok && read.asked).toEqual([{ kind: "confirmation", key: "c1" }]);
  });

  it.each([
    [{ kind: "other", call_id: "c" }],
    [{ ...CONFIRM, call_id: "" }],
    [{ ...CONFIRM, call_id: 5 }],
    [null],
    ["x"],
  ])("with the data %j is asked in its words", (question) => {
    const read = readQuestions(asked(question as object), false);

    expect(read.ok && read.asked).toEqual([{ kind: "text", key: "text" }]);
  });
});
