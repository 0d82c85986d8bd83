import { describe, expect, it } from "vitest";

import { memoryTermsOf, searchedWords } from "../../../agent/memory/memory-terms.ts";
import { mergeRanks } from "../../../agent/memory/rank-memories.ts";
import { MAX_SEARCHED_WORDS } from "../../../protocol/memory/limits.ts";

const wordsOf = (...texts: string[]) => searchedWords(texts).map(({ text }) => text);

describe("terms of a memory", () => {
  it("are words, pairs of signs with each sign, and the ends of long words", () => {
    expect(memoryTermsOf("Die 東京タ Haftpflicht 🎉")).toEqual({
      plain: ["die", "haftpflicht", "🎉"],
      pairs: ["東京", "京タ", "東", "京", "タ"],
      parts: ["licht", "flicht", "pflicht", "tpflicht"],
    });
  });
});

describe("words of a search", () => {
  it("leave out what is in most texts, unless there is nothing else", () => {
    expect(wordsOf("Where does the customer live?")).toEqual(["customer", "live"]);
    expect(wordsOf("who is it")).toEqual(["who", "is", "it"]);
    expect(wordsOf("東京に行きたいのです")).toEqual(["東京", "京に", "に行", "行き"]);
  });

  it("are looked for exactly, by their beginning, and as parts of compounds", () => {
    expect(searchedWords(["Invoices"])).toEqual([
      {
        text: "invoices",
        forms: [
          { match: 'plain : "invoices"', weight: 1 },
          { match: 'plain : "invoic"*', weight: 0.7 },
          { match: 'parts : "invoices"*', weight: 0.5 },
        ],
      },
    ]);
  });

  it("are the longest ones of a text with more than are looked for", () => {
    const many = Array.from({ length: 60 }, (_, index) => `w${"x".repeat(index + 1)}`);

    expect(wordsOf(many.join(" "))).toEqual(many.toReversed().slice(0, MAX_SEARCHED_WORDS));
  });

  it("hold nothing of the language of the index", () => {
    expect(searchedWords(['a" OR plain:*', "NEAR(", "x AND z"]).map(({ text }) => text)).toEqual([
      "plain",
      "near",
      "x",
      "z",
    ]);
  });
});

it("two orders are merged by their ranks, whatever their scores are", () => {
  expect(
    mergeRanks([
      [1, 2, 3],
      [3, 4],
    ]),
  ).toEqual([3, 1, 4, 2]);
});
