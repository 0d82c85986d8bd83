// A person's answer to a tool that asks for input: exactly what was asked, in one form, of bounded size.
import { describe, expect, it } from "vitest";

import { cancelAll, readInputAnswer } from "../../../../agent/inputs/read-input-answer.ts";
import type { Elicitation } from "../../../../protocol/mcp/events.ts";
import type { InputRequest } from "../../../../protocol/mcp/elicitation.ts";
import { MAX_INPUT_ANSWER_BYTES } from "../../../../protocol/mcp/limits.ts";
import type { ToolResultBlock } from "../../../../protocol/messages/blocks.ts";

const FORM: InputRequest = {
  mode: "form",
  message: "Which size?",
  requested_schema: {
    type: "object",
    required: ["size"],
    properties: { size: { type: "string", enum: ["S", "M"] }, note: { type: "string" } },
  },
};
const OPEN: InputRequest = { ...FORM, requested_schema: { type: "object", properties: {} } };
const PAGE: InputRequest = { mode: "url", message: "Sign in.", url: "https://a.example" };

const ACCEPT = { action: "accept", content: { size: "M" } };
const SHAPE = expect.stringMatching(/^The call asks for input: the output is JSON/) as string;

function asked(requests: Readonly<Record<string, InputRequest>>): Elicitation {
  return { server: "shop", requests, round: 1, held: false };
}

/** The responses, or the sentence for the author. */
function read(
  output: ToolResultBlock["output"] | object,
  requests: Readonly<Record<string, InputRequest>> = { q: FORM },
  state: ToolResultBlock["state"] = "success",
): unknown {
  const text =
    typeof output === "string" || Array.isArray(output) ? output : JSON.stringify(output);
  const answer = readInputAnswer(
    { output: text as ToolResultBlock["output"], state },
    asked(requests),
  );
  return answer.ok ? answer.responses : answer.detail;
}

function block(text: string): ToolResultBlock["output"] {
  return [{ type: "text", id: "b1", text, created_at: "", finished_at: "" }];
}

describe("an answer to one question", () => {
  it("is given with its key or without it, as a text or as a block of text", () => {
    const responses = { q: ACCEPT };

    expect([
      read(ACCEPT),
      read({ responses }),
      read(block(JSON.stringify(ACCEPT)) as object),
    ]).toEqual([responses, responses, responses]);
  });

  it("accepts, declines or cancels, and what is not accepted has no content", () => {
    expect(["decline", "cancel"].map((action) => read({ action, content: { size: "L" } }))).toEqual(
      [{ q: { action: "decline" } }, { q: { action: "cancel" } }],
    );
  });

  it("has an empty content where it has none", () => {
    expect(read({ action: "accept" }, { q: OPEN })).toEqual({
      q: { action: "accept", content: {} },
    });
    expect(read({ action: "accept", content: null }, { q: OPEN })).toEqual({
      q: { action: "accept", content: {} },
    });
  });

  it("has to fit the form", () => {
    expect([
      read({ action: "accept" }),
      read({ action: "accept", content: { size: "L" } }),
    ]).toEqual([
      expect.stringMatching(/^The content .*size.*\.$/s),
      expect.stringMatching(/^The content .*size.*\.$/s),
    ]);
    expect(read({ action: "accept", content: [] })).toEqual(expect.stringMatching(/^The content /));
  });

  it("about a page is that it was visited, without what was given there", () => {
    const detail = "What is given on a page is not part of the answer: leave `content` out.";

    expect(read({ action: "accept" }, { q: PAGE })).toEqual({ q: { action: "accept" } });
    expect(read({ action: "accept", content: {} }, { q: PAGE })).toBe(detail);
  });

  it.each([
    "",
    "M",
    '"accept"',
    "null",
    "[]",
    "{",
    "{}",
    '{"action":"yes"}',
    '{"action":"accept","content":{"size":"M"},"more":1}',
    '{"responses":{"q":{"action":"decline","more":1}}}',
    '{"responses":{"q":"decline"}}',
    '{"responses":{"q":null}}',
    '{"responses":[]}',
    '{"responses":null}',
    '{"responses":{"q":{"action":"decline"}},"action":"decline"}',
    `{"action":"accept","content":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`,
  ])("is not %s", (output) => {
    expect(read(output)).toEqual(SHAPE);
  });

  it("is neither several blocks nor none", () => {
    const [one] = block(JSON.stringify(ACCEPT)) as readonly object[];
    const data = {
      type: "data",
      id: "d1",
      source: { type: "url", url: "https://a.example", media_type: "image/png" },
    };

    expect([read([]), read([one, one]), read([data])]).toEqual([SHAPE, SHAPE, SHAPE]);
  });

  it("has a size in bytes", () => {
    const empty = JSON.stringify({ action: "accept", content: { size: "M", note: "" } }).length;
    const noteOf = (bytes: number) =>
      "é".repeat((bytes - empty - ((bytes - empty) % 2)) / 2) + "e".repeat((bytes - empty) % 2);
    const answerOf = (bytes: number) => ({
      action: "accept",
      content: { size: "M", note: noteOf(bytes) },
    });

    expect(read(answerOf(MAX_INPUT_ANSWER_BYTES))).toEqual({ q: answerOf(MAX_INPUT_ANSWER_BYTES) });
    expect(read(answerOf(MAX_INPUT_ANSWER_BYTES + 1))).toBe(
      `An answer has at most ${MAX_INPUT_ANSWER_BYTES} bytes.`,
    );
  });
});

describe("an answer to several questions", () => {
  const both = { q: FORM, p: PAGE };

  it("has each of them, in the order in which they were asked", () => {
    const responses = { p: { action: "accept" }, q: ACCEPT };

    expect(JSON.stringify(read({ responses }, both))).toBe(
      JSON.stringify({ q: ACCEPT, p: { action: "accept" } }),
    );
  });

  it("needs keys", () => {
    expect(read(ACCEPT, both)).toEqual(SHAPE);
  });

  it("leaves out none, and names none that was not asked", () => {
    expect(read({ responses: { q: ACCEPT } }, both)).toBe("One of the questions has no answer.");
    expect(read({ responses: {} })).toBe("One of the questions has no answer.");
    expect(read({ responses: { q: ACCEPT, x: ACCEPT } })).toBe(
      "The answer names a question that was not asked.",
    );
  });

  it("finds no answer in what every object has", () => {
    expect(read({ responses: {} }, { toString: FORM })).toBe("One of the questions has no answer.");
  });
});

it("a result that is an error cancels all questions, whatever it says", () => {
  const cancelled = { q: { action: "cancel" }, p: { action: "cancel" } };

  expect(read(JSON.stringify(ACCEPT), { q: FORM, p: PAGE }, "error")).toEqual(cancelled);
  expect(cancelAll(asked({ q: FORM, p: PAGE }))).toEqual(cancelled);
});
