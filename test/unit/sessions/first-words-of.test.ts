import { expect, test } from "vitest";

import { firstWordsOf } from "../../../protocol/sessions/first-words-of.ts";

function message(...texts: readonly string[]) {
  const content = texts.map((text, index) => ({ type: "text", id: `blk_${index}`, text }));
  return { id: "msg_1", name: "user", role: "user", content, metadata: {} };
}

const wordsOf = (...texts: readonly string[]) => firstWordsOf(JSON.stringify(message(...texts)));

test("takes the first words of the first text that has any, in one line", () => {
  const cases = {
    short: wordsOf("Where is order A-1?"),
    lines: wordsOf("  Hello,\n\n\twhere is\u2028it?\u0000 "),
    second: wordsOf(" \n", "the second"),
    turned: wordsOf("pay \u202e00.1 to me"),
    quoted: wordsOf('say "text":"no" and \\ this'),
    halves: wordsOf("a\ud800b"),
    chinese: wordsOf("退款".repeat(60)),
    long: wordsOf(`${"word ".repeat(30)}`),
    none: wordsOf("", "  "),
    other: firstWordsOf(JSON.stringify({ ...message("an answer"), role: "assistant" })),
  };

  expect(cases).toEqual({
    short: "Where is order A-1?",
    lines: "Hello, where is it?",
    second: "the second",
    turned: "pay 00.1 to me",
    quoted: 'say "text":"no" and \\ this',
    halves: "a b",
    chinese: `${"退款".repeat(39)}退…`,
    long: `${"word ".repeat(15).trim()}…`,
    none: null,
    other: null,
  });
});

test("a message that is cut off anywhere has the beginning of its words, or none", () => {
  const whole = JSON.stringify(message('öne "two" \u0001 three\\'));

  for (let length = 0; length <= whole.length; length += 1) {
    const words = firstWordsOf(whole.slice(0, length)) ?? "";
    expect('öne "two" three\\'.startsWith(words.replaceAll("…", ""))).toBe(true);
  }
});
