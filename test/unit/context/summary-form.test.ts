// The text that is made of a summary's fields, and which answers are none.
import { describe, expect, it } from "vitest";

import { readSummary, renderSummary } from "../../../agent/context/summary-form.ts";
import { MAX_SUMMARY_CHARACTERS } from "../../../protocol/context/limits.ts";

const NAMES = [
  "task_overview",
  "current_state",
  "important_discoveries",
  "next_steps",
  "context_to_preserve",
];
const fieldsOf = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]));

describe("the text of a summary", () => {
  it.each([
    ["the platform's template", {}],
    ["a template that has a field often", { summary_template: "{next_steps}".repeat(1_000) }],
    ["a template that is as long", { summary_template: `${"x".repeat(19_900)}{next_steps}` }],
  ])("is never longer than a summary may be: %s", (_, form) => {
    const text = renderSummary(fieldsOf("y".repeat(9_000)), form, MAX_SUMMARY_CHARACTERS);

    expect(text.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARACTERS);
    expect(text.length).toBeGreaterThan(MAX_SUMMARY_CHARACTERS / 4);
  });

  it("leaves half of a small window's room to the fields, whatever the template says", () => {
    const form = { summary_template: `${"x".repeat(900)}{next_steps}` };

    expect(renderSummary(fieldsOf("y".repeat(900)), form, 800)).toBe(
      `${"x".repeat(900)}${"y".repeat(399)}…`,
    );
  });
});

describe("an answer without a word", () => {
  it.each([
    ["of empty texts", JSON.stringify(fieldsOf(" ")), {}],
    ["of no members", "{}", { summary_schema: { type: "object", properties: { a: {} } } }],
    [
      "of empty lists",
      '{"a":[],"b":{}}',
      { summary_schema: { type: "object", properties: { a: {}, b: {} } } },
    ],
  ])("is no summary: %s", (_, text, form) => {
    expect(readSummary(text, form)).toEqual({ ok: false, problem: "is empty" });
  });

  it("but for one field is a summary", () => {
    const text = JSON.stringify({ ...fieldsOf(""), next_steps: "Ask." });

    expect(readSummary(text, {})).toMatchObject({ ok: true });
  });
});
