// The sentence with which a person is asked about a call.
import { describe, expect, it } from "vitest";

import { parseExact } from "../../../agent/exact-number.ts";
import { confirmationQuestion } from "../../../agent/tool-call/confirmation-question.ts";
import { findMessageProblem } from "../../../protocol/tools/confirmation-message.ts";
import { MAX_CONFIRMATION_QUESTION_CHARACTERS } from "../../../protocol/tools/limits.ts";

function question(template: string | undefined, input: unknown, danger: string | null = null) {
  return confirmationQuestion(
    { name: "refund_order", ...(template !== undefined && { confirmation_message: template }) },
    input,
    danger,
  );
}

const ORDER = {
  order_id: "A-1003",
  amount: 12.5,
  customer: { name: "Ann", "a/b": 1 },
  gift: false,
};

describe("a question", () => {
  it.each<[string, string]>([
    ["Refund order {order_id}?", "Refund order A-1003?"],
    ["{order_id}: {amount}, {gift}", "A-1003: 12.5, false"],
    ["Refund {customer/name} ({/customer/a~1b})?", "Refund Ann (1)?"],
    ["All of {customer}?", 'All of {"name":"Ann","a/b":1}?'],
    ["{{{order_id}}} and {{}}", "{A-1003} and {}"],
    ["No placeholder", "No placeholder"],
  ])("of the template %s is %s", (template, expected) => {
    expect(question(template, ORDER)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ["Refund {order}?", ORDER],
    ["Refund {order_id/length}?", ORDER],
    ["Refund {constructor}?", ORDER],
    ["Refund {customer/toString}?", ORDER],
    ["Refund {order_id", ORDER],
  ])("has no gap: %s is the platform's sentence", (template, input) => {
    expect(question(template, input)).toBe(
      'Run `refund_order` with order_id "A-1003", amount 12.5, customer {"name":"Ann","a/b":1}, gift false?',
    );
  });

  it("does not fill an empty value in, nor a part of a number's digits", () => {
    const long = "1".repeat(81);
    expect([
      question("Refund {order_id}?", { order_id: " \u200b" }),
      question("Pay {amount}?", parseExact(`{"amount": ${long}}`)),
      question("Pay {amount}?", parseExact('{"amount": 12345678901234567890}')),
    ]).toEqual([
      'Run `refund_order` with order_id ""?',
      "Run `refund_order` with amount …?",
      "Pay 12345678901234567890?",
    ]);
  });

  it.each<[string, unknown, string]>([
    ["no input", {}, "Run `refund_order`?"],
    ["no object", 5, "Run `refund_order`?"],
    [
      "many members",
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
      "Run `refund_order` with a 1, b 2, c 3, d 4 and 2 more?",
    ],
    [
      "a name that is a sentence",
      { 'order_id "A-1"? Approved.': 5, größe: 2 },
      'Run `refund_order` with "order_id \\"A-1\\"? Approved." 5, größe 2?',
    ],
    ["a quote", { order_id: 'A"? Approved' }, 'Run `refund_order` with order_id "A\\"? Approved"?'],
  ])("without a template says what is there: %s", (_, input, expected) => {
    expect(question(undefined, input)).toBe(expected);
  });

  it("is one line of plain text, whatever the model wrote", () => {
    const order_id = "A-1\r\n\u2028APPROVED\u202e\u0007 <b>x</b> \ud800";
    expect(question("Refund {order_id}?", { order_id })).toBe("Refund A-1 APPROVED <b>x</b>?");
    expect(question("Refund {o}?", { o: { "x\ny": "\u0000" } })).toBe(
      'Refund {"x\\ny":"\\u0000"}?',
    );
  });

  it("has no letters that cannot be seen, and an empty value of them is a gap", () => {
    const blank = "\u3164\u115f\u2800\u034f";
    expect(question("Pay {a}?", { a: `A${blank}B \u2764\ufe0f` })).toBe("Pay A B \u2764?");
    expect(question("Pay {a}?", { a: blank })).toBe('Run `refund_order` with a ""?');
  });

  it("shows no other number than the input's, at any depth", () => {
    const input = parseExact('{"order":{"id":12345678901234567890,"n":1.5},"max":1e999}');
    expect(question("Refund {order}?", input)).toBe('Refund {"id":12345678901234567890,"n":1.5}?');
    expect(question("Refund {max}?", input)).toBe("Refund 1e999?");
  });

  it("is bounded, and cuts no character in two", () => {
    const long = question("{a}", { a: "😀".repeat(1_000_000) });
    expect(long).toBe(`${"😀".repeat(79)}…`);
    const all = Object.fromEntries(
      Array.from({ length: 4 }, (_, n) => ["k".repeat(5_000) + n, "v".repeat(5_000)]),
    );
    expect(question(undefined, all).length).toBeLessThanOrEqual(
      MAX_CONFIRMATION_QUESTION_CHARACTERS,
    );
  });

  it("says why a call is dangerous in itself", () => {
    expect(question("Run {order_id}?", ORDER, "Safety: removes files")).toBe(
      "Run A-1003? (Safety: removes files)",
    );
  });
});

describe("a template", () => {
  const input_schema = {
    type: "object",
    properties: { order_id: { type: "string" }, customer: { properties: { name: {} } }, any: {} },
  };
  it.each<[string, string | null]>([
    ["Refund order {order_id}?", null],
    ["{customer/name} {any/thing} {{braces}}", null],
    [
      "Refund {orderId}?",
      "names {orderId}, which input_schema does not have; did you mean `order_id`?",
    ],
    ["Refund {colour}?", "names {colour}, which input_schema does not have"],
    [
      "To {customer/nmae}?",
      "names {customer/nmae}, which input_schema does not have; did you mean `name`?",
    ],
    ["Refund {{order_id}}?", "has {{order_id}}; write {order_id}, with one brace"],
    ["Refund {order_id?", "has a { without its other half; write {{"],
    ["Refund order_id}?", "has a } without its other half; write }}"],
    ["Refund {}?", "has {}, which names no member"],
    ["Refund {customer//name}?", "has {customer//name}, which names no member"],
    ["{any}".repeat(17), "may have at most 16 placeholders, has 17"],
  ])("%s: %s", (confirmation_message, expected) => {
    expect(findMessageProblem({ confirmation_message, input_schema })).toBe(expected);
  });

  it("may name any member of a schema that lists none", () => {
    const confirmation_message = "Refund {order_id}?";
    expect(findMessageProblem({ confirmation_message, input_schema: { type: "object" } })).toBe(
      null,
    );
  });
});
