// The parts of a card: the values of a call, sums of many, the story behind it, and why it asks.
import { expect, test } from "vitest";

import { reasonWords } from "../../../console/components/words/reason-words.ts";
import { factsOf, isPlainQuestion } from "../../../console/pages/inbox/call-facts.ts";
import { storyOf } from "../../../console/pages/inbox/call-story.ts";
import { addDecimals, decimalText, parseDecimal } from "../../../console/pages/inbox/decimal.ts";
import { isShown, parseSaved, withSaved } from "../../../console/pages/inbox/saved-filters.ts";
import { sessionName } from "../../../console/pages/inbox/session-name.ts";
import { sumCalls } from "../../../console/pages/inbox/sum-calls.ts";
import { takeTurns } from "../../../console/pages/inbox/take-turns.ts";
import { AssistantMsg, UserMsg, type ContentBlock } from "../../../sdk/index.ts";

const REFUND = {
  type: "object",
  properties: {
    amount: { type: "number", title: "Amount" },
    currency: { type: "string", title: "Currency" },
    order_id: { type: "string", title: "Order" },
  },
};

function linesOf(input: unknown, schema: unknown = REFUND): readonly string[] | undefined {
  return factsOf(JSON.stringify(input), schema)?.map(({ label, text }) => `${label}: ${text}`);
}

test("values stand behind the titles of the schema, in its order, and money has its currency", () => {
  expect(linesOf({ order_id: "A-1", currency: "EUR", amount: 42 })).toEqual([
    "Amount: 42.00 EUR",
    "Order: A-1",
  ]);
  expect(linesOf({ amount: 42, currency: "JPY" })).toEqual(["Amount: 42 JPY"]);
});

test("money is never rounded, and cents are not called euros", () => {
  expect(linesOf({ amount: 0.125, currency: "EUR" })).toEqual(["Amount: 0.125 EUR"]);
  expect(linesOf({ amount_cents: 4200, currency: "EUR" }, null)).toEqual([
    "Amount cents: 4,200",
    "Currency: EUR",
  ]);
  expect(linesOf({ shelf: 7, currency: "EUR" }, null)).toEqual(["Shelf: 7", "Currency: EUR"]);
});

test("two currencies belong to nobody", () => {
  const input = { amount: 1, currency: "EUR", to_currency: "USD" };

  expect(linesOf(input, null)).toEqual(["Amount: 1", "Currency: EUR", "To currency: USD"]);
});

test("other values are read as a person says them", () => {
  const input = { is_urgent: true, tags: ["a", "b"], none: null, items: [{}, {}], place: { x: 1 } };

  expect(linesOf(input, null)).toEqual([
    "Is urgent: yes",
    "Tags: a, b",
    "Items: 2 entries",
    "Place: 1 field",
  ]);
  expect(linesOf({ note: "x".repeat(500) }, null)?.[0]).toHaveLength("Note: ".length + 160);
});

test.each(["", "[1]", "not json", '{"order": 12345678901234567890}'])(
  "an input that cannot be read whole has no values: %s",
  (input) => {
    expect(factsOf(input, null)).toBe(null);
  },
);

test("a schema of any shape is no danger to the values", () => {
  for (const schema of [null, 7, { properties: { amount: { title: 7, type: {} } } }, "#"]) {
    expect(linesOf({ amount: 1 }, schema)).toEqual(["Amount: 1"]);
  }
});

test("a question of the platform's own making is told from a tool's", () => {
  expect(isPlainQuestion('Run `refund` with order "A-1"?', "refund")).toBe(true);
  expect(isPlainQuestion("Refund order A-1?", "refund")).toBe(false);
});

test("decimals add up as they are written", () => {
  const sum = ["0.1", "0.2", "-1", "9007199254740993.5"].reduce((total, text) => {
    const value = parseDecimal(text);
    return value ? addDecimals(total, value) : total;
  }, parseDecimal("0")!);

  expect(decimalText(sum)).toBe("9,007,199,254,740,992.8");
  expect(decimalText(parseDecimal("-0.5")!, 2)).toBe("-0.50");
  expect(parseDecimal("1e21")).toBe(null);
});

test("many calls add up by title and currency; ids are no quantity, and what cannot be read is said", () => {
  const refund = (amount: number, currency: string) => ({
    toolName: "refund",
    facts: factsOf(JSON.stringify({ amount, currency, invoice_number: 9, parts: 2 }), REFUND),
  });
  const voucher = { toolName: "voucher", facts: factsOf('{"amount":"12.50 EUR"}', null) };
  const large = { toolName: "refund", facts: null };

  expect(
    sumCalls([refund(0.1, "EUR"), refund(0.2, "EUR"), refund(5, "USD"), voucher, large]),
  ).toEqual({
    sums: [
      { label: "Amount", currency: "EUR", text: "12.80 EUR", calls: 3 },
      { label: "Amount", currency: "USD", text: "5.00 USD", calls: 1 },
      { label: "Parts", currency: null, text: "6", calls: 3 },
    ],
    tools: [
      ["refund", 4],
      ["voucher", 1],
    ],
    unread: 1,
  });
});

const call = (id: string, name: string): ContentBlock => ({
  type: "tool_call",
  id,
  name,
  input: "{}",
  state: "finished",
  suggested_rules: [],
  created_at: "",
  finished_at: null,
});
const result = (id: string, name: string, state: "success" | "error"): ContentBlock => ({
  type: "tool_result",
  id,
  name,
  output: "",
  state,
  metadata: {},
  created_at: "",
  finished_at: null,
});
const text = (words: string): ContentBlock => ({
  type: "text",
  text: words,
  id: words,
  created_at: "",
  finished_at: null,
});

test("what led to a call: the end user's last words, and what the agent has done since, without the call", () => {
  const messages = [
    UserMsg("user", "Hello, I have a\nproblem with my order, and it is a long story that goes on"),
    AssistantMsg("agent", "Tell me."),
    UserMsg("user", "Refund A-1."),
    AssistantMsg("agent", [
      call("c1", "lookup"),
      result("c1", "lookup", "success"),
      text("I will pay it back."),
      call("c2", "refund"),
      call("c3", "label"),
    ]),
  ];

  expect(storyOf(messages, "c2", true)).toEqual({
    lastWords: "Refund A-1.",
    steps: [
      { type: "called", toolName: "lookup", state: "success" },
      { type: "said", text: "I will pay it back." },
    ],
    firstWords: "Hello, I have a problem with my order, and it is a long sto…",
  });
  expect(storyOf(messages, "c2", false).firstWords).toBe(null);
  expect(storyOf(messages.slice(2), "c2", true).firstWords).toBe(null);
});

test("a session is called by its title, else by its first words, unless these stand beside it anyway", () => {
  const words = { title: null, firstWords: null, lastWords: "Refund\nA-1, please." };

  expect(sessionName({ ...words, title: "Broken cups", firstWords: "Hello" })).toBe(
    "“Broken cups”",
  );
  expect(sessionName({ ...words, firstWords: "Hello" })).toBe("“Hello”");
  expect(sessionName({ ...words, title: "Refund A-1,…", firstWords: "Hello" })).toBe("“Hello”");
  expect(sessionName({ ...words, title: "Refund A-1, please." })).toBe("See the session");
});

test("messages without words, or too large for a list, are no words", () => {
  const large = { ...UserMsg("user", ""), content: [], metadata: { omitted: { bytes: 9 } } };

  expect(storyOf([], "c1", true)).toEqual({ lastWords: null, steps: [], firstWords: null });
  expect(storyOf([large], "c1", true).lastWords).toBe(null);
});

test("reasons are in plain words, and unknown ones as they are", () => {
  const reasons = { reason: null, rule: null, untrusted: [] };
  const rule = {
    tool_name: "refund",
    rule_content: null,
    behavior: "ask",
    source: "agent",
  } as const;

  expect(reasonWords({ ...reasons, reason: "Mode: default" })).toBe(
    "no permission rule decides about this tool",
  );
  expect(reasonWords({ ...reasons, reason: "Rule: ask refund", rule })).toBe(
    "a permission rule asks a person about every call of this tool",
  );
  expect(
    reasonWords({ ...reasons, untrusted: [{ tool_name: "mail", tool_call_id: "c1" }] }),
  ).toContain("nobody vouches for");
  expect(reasonWords({ ...reasons, reason: "Over the limit of 100" })).toBe(
    "Over the limit of 100",
  );
});

test("saved filters: one of the same name is replaced, and what storage has is checked", () => {
  const saved = withSaved(withSaved([], { name: " Refunds ", values: { kind: "a" } }), {
    name: "Refunds",
    values: { tool_name: "refund" },
  });

  expect(saved).toEqual([{ name: "Refunds", values: { tool_name: "refund" } }]);
  expect(withSaved(saved, { name: " ", values: {} })).toBe(saved);
  expect(isShown(saved[0]!, { tool_name: "refund" })).toBe(true);
  expect(isShown(saved[0]!, { tool_name: "refund", kind: "a" })).toBe(false);
  expect(
    parseSaved(JSON.stringify([...saved, { name: 7 }, { name: "x", values: { a: 1 } }])),
  ).toEqual(saved);
  expect([parseSaved(null), parseSaved("{"), parseSaved("{}")]).toEqual([[], [], []]);
});

test("so many tasks run at a time, the others in their order, and one that is not wanted any more never runs", async () => {
  const inTurn = takeTurns(2);
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const unwanted = new AbortController();
  const run = (number: number, signal = new AbortController().signal) =>
    inTurn(async () => {
      started.push(number);
      await ends[number]?.promise;
      if (number === 0) throw new Error("of the task");
    }, signal);
  const tasks = [run(0), run(1), run(2, unwanted.signal), run(3)].map((task) =>
    task.then(
      () => "done",
      () => "failed",
    ),
  );
  await Promise.resolve();
  const first = [...started];
  unwanted.abort();
  ends[0]?.resolve();
  await tasks[2];
  await Promise.resolve();
  ends[1]?.resolve();
  ends[3]?.resolve();

  expect(first).toEqual([0, 1]);
  expect(await Promise.all(tasks)).toEqual(["failed", "done", "failed", "done"]);
  expect(started).toEqual([0, 1, 3]);
});
