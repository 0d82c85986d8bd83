// Sentences of a text as they are said.
import "../../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SentenceCutter, type Sentence } from "../../../agent/voice/sentences.ts";

const FENCED = "Look:\n```js\nconst a = 1. + 2;\n```\nThat is it.";

describe("a text that is said", () => {
  it.each<[name: string, text: string, said: string[]]>([
    [
      "sentence by sentence",
      "Hello there. How are you? Fine!",
      ["Hello there.", "How are you?", "Fine!"],
    ],
    ["line by line", "One\nTwo\n\nThree", ["One", "Two", "Three"]],
    [
      "with numbers and names whole",
      "It is 3.14 or v1.2.3 of a.example. Yes.",
      ["It is 3.14 or v1.2.3 of a.example.", "Yes."],
    ],
    ["with the numbers of a list", "1. Milk\n2. Bread", ["1. Milk", "2. Bread"]],
    [
      "with quotation marks at the end",
      'He said "Go." Then he went.',
      ['He said "Go."', "Then he went."],
    ],
    ["with several marks at the end", "What?! No... Well.", ["What?!", "No...", "Well."]],
    [
      "in languages without spaces",
      "你好。今天怎么样？很好！",
      ["你好。", "今天怎么样？", "很好！"],
    ],
    [
      "without Markdown",
      "# Title\n**Bold** and *this* `code` [a link](https://a.example/?q=1).",
      ["Title", "Bold and this code a link."],
    ],
    [
      "with words that have underscores",
      "Call get_order_1 or __init__ now.",
      ["Call get_order_1 or init now."],
    ],
    ["with what is multiplied", "It is 2 * 3.", ["It is 2 * 3."]],
    [
      "without the marks of lists, quotations and rules",
      "- One\n> Two\n---\n* Three",
      ["One", "Two", "Three"],
    ],
    ["without the frame of a table", "| a | b |\n|---|---|\n| 1 | 2 |", ["a, b", "1, 2"]],
    [
      "with the words for a picture",
      "![a cat](https://a.example/cat.png) sleeps.",
      ["a cat sleeps."],
    ],
    ["without code", FENCED, ["Look:", "That is it."]],
    ["without code that has no end", "Look:\n~~~\nrm -rf", ["Look:"]],
    ["without code in a longer fence", "````\n```\na.\n```\n````\nDone.", ["Done."]],
    ["without marks that stand for nothing", "...\n***\n", []],
    ["with emoji", "👍🏽", ["👍🏽"]],
  ])("is said %s", (_, text, said) => {
    expect(spoken(cut([text]))).toEqual(said);
  });

  it("has a first piece that is short, and longer ones behind it", () => {
    const clause =
      "Well, as far as I can see it now, the order was sent, and it will arrive, I think, soon.";

    expect(spoken(cut([`${clause} ${clause}`]))).toEqual([
      "Well, as far as I can see it now,",
      "the order was sent, and it will arrive, I think, soon.",
      clause,
    ]);
  });

  it("is cut behind a space where a sentence is too long, and behind a grapheme where it has none", () => {
    const words = cut([`${"word ".repeat(100)}`], 60);
    const family = "👨‍👩‍👧‍👦";
    const families = cut([family.repeat(40)], 60);

    expect(words.every(({ text }) => text.length <= 60 && /^(?:word ?)+$/.test(text))).toBe(true);
    expect(
      families.every(({ text }) => text.replaceAll(family, "") === "" && text.length <= 60),
    ).toBe(true);
  });

  it("is told by places in the text", () => {
    expect(cut(["Hi. ", "So `x`.\n```\na\n```"])).toEqual([
      { start: 0, end: 3, text: "Hi." },
      { start: 3, end: 11, text: "So x." },
      { start: 11, end: 12, text: "" },
      { start: 12, end: 16, text: "" },
      { start: 16, end: 18, text: "" },
      { start: 18, end: 21, text: "" },
    ]);
  });

  it("begins as soon as its first sentence is known to be over", () => {
    const cutter = new SentenceCutter();

    expect([cutter.push("Hello."), cutter.push(" "), cutter.push("You")]).toEqual([
      [],
      [{ start: 0, end: 6, text: "Hello." }],
      [],
    ]);
  });

  it("has the same sentences however its deltas are cut, and each of its characters once", () => {
    const word = fc.constantFrom(
      "Hello",
      " ",
      " ",
      ".",
      "!",
      "?",
      "。",
      "\n",
      "\n",
      "```",
      "```js",
      "~~~",
      "**",
      "`",
      "3",
      ",",
      "…",
      '"',
      ")",
      "|",
      "- ",
      "# ",
      "1.",
      "👨‍👩‍👧",
      "é",
      "世界",
      "averyverylongword",
      "[a](b)",
      "  ",
    );
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    const longest = fc.constantFrom(10, 40, 400);
    fc.assert(
      fc.property(text, lengths, longest, (whole, cuts, max) => {
        const once = cut([whole], max);

        expect(cut(piecesOf(whole, cuts), max)).toEqual(once);
        expect(once.map(({ start, end }) => whole.slice(start, end)).join("")).toBe(whole);
        expect(once.map(({ start }) => start)).toEqual(
          [0, ...once.map(({ end }) => end)].slice(0, once.length),
        );
        expect(once.every(({ start, end }) => end > start)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("takes time that grows with its length alone", () => {
    const cutter = new SentenceCutter();
    const text = "no end of it, in any way, ".repeat(4_000);
    const sentences = [...text].flatMap((character) => cutter.push(character));

    expect(sentences.every(({ text: said }) => said.length <= 400)).toBe(true);
    expect(sentences.length).toBeGreaterThan(250);
  });
});

function cut(deltas: readonly string[], max?: number): readonly Sentence[] {
  const cutter = new SentenceCutter(max);
  return [...deltas.flatMap((delta) => cutter.push(delta)), ...cutter.end()];
}

function spoken(sentences: readonly Sentence[]): readonly string[] {
  return sentences.map(({ text }) => text).filter((text) => text !== "");
}

function piecesOf(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0, index = 0; from < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}
