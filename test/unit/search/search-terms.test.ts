import { describe, expect, test } from "vitest";

import { MAX_SEARCH_WORDS, MAX_TERM_CHARACTERS } from "../../../protocol/search/limits.ts";
import { phrasesOf, searchProblem, toMatch } from "../../../protocol/search/search-query.ts";
import { termsOf } from "../../../protocol/search/search-terms.ts";

const matchOf = (search: string): string | null => {
  const phrases = phrasesOf(search);
  return phrases && toMatch(phrases);
};

describe("the terms of a text", () => {
  test.each([
    ["words without case, accents and punctuation", "Où est ma COMMANDE?", "ou est ma commande"],
    [
      "the parts of a word with marks in it",
      "A-1007, anna@shop.example",
      "a 1007 anna shop example",
    ],
    ["one width of letters and digits", "Ｏｒｄｅｒ　１２", "order 12"],
    ["Greek and Cyrillic without accents", "Παραγγελία Ёлка", "παραγγελια елка"],
    ["Arabic and Hebrew without vowel points", "كِتَاب שָׁלוֹם", "كتاب שלום"],
    ["Hindi with its vowels", "हिन्दी", "हिन्दी"],
    ["Chinese by pairs", "退款申请", "退款 款申 申请 请"],
    ["Japanese with its long vowels and voiced marks", "サーバーが", "サー ーバ バー ーが が"],
    ["half-width Japanese as the full one", "ｻｰﾊﾞ", "サー ーバ バ"],
    ["Korean by pairs", "환불을 원해요", "환불 불을 을 원해 해요 요"],
    ["Thai by pairs", "คืน", "คื ืน น"],
    ["a word of two scripts", "iPhone修理v2", "iphone 修理 理 v2"],
    ["pictures", "hi 👋🏽 👩‍💻!", "hi 👋 👩 💻"],
    ["flags", "🇩🇪 Pokémon", "🇩🇪 pokemon"],
    ["nothing of what cannot be seen", "a\u200bb\u00ad \u202ec\u2069\ufe0f", "ab c"],
    ["nothing of half a character", "lone \ud83d half", "lone half"],
    ["nothing", " -- \n 、。", ""],
  ])("are %s", (_, text, terms) => {
    expect(termsOf(text).join(" ")).toBe(terms);
  });

  test("of an endless word are its beginning", () => {
    const text = "x".repeat(5_000);

    expect(termsOf(text)).toEqual(["x".repeat(MAX_TERM_CHARACTERS)]);
    expect(matchOf(text)).toBe(`"${"x".repeat(MAX_TERM_CHARACTERS)}"*`);
  });
});

describe("a search", () => {
  test.each([
    ["all words, the last one also as a beginning", "refund sho", '"refund" AND "sho"*'],
    ["a last word that is over", "refund shoe ", '"refund" AND "shoe"'],
    ["the parts of a word behind each other", "a-1007 x", '"a 1007" AND "x"*'],
    ["two characters of Chinese", "退款", '"退款"'],
    ["several of them behind each other", "退款申", '"退款 款申"'],
    ["one of them, with any other behind it", "款 x", '"款"* AND "x"*'],
    ["a word of two scripts", "修理iphone", '"修理 理 iphone"*'],
    ["and the other way round", "iphone修理", '"iphone 修理"'],
    ["pictures", "👋", '"👋"*'],
  ])("looks for %s", (_, search, match) => {
    expect(matchOf(search)).toBe(match);
  });

  test.each([
    ['"refund" OR title:x', '"refund" AND "or" AND "title x"*'],
    ["a* NOT (b)", '"a" AND "not" AND "b"*'],
    ["NEAR(a b, 5) {title}:x ^y", '"near a" AND "b" AND "5" AND "title x" AND "y"*'],
    ["'; DROP TABLE words; --\"", '"drop" AND "table" AND "words"'],
    ["a\0b % _ \\", '"a b"'],
  ])("is never a language: %s", (search, match) => {
    expect(matchOf(search)).toBe(match);
  });

  test.each(["", "  ", '"', "*", "()", "、。", "\ud83d", "\u202e"])(
    "of %j is refused in words",
    (search) => {
      expect(phrasesOf(search)).toBe(null);
      expect(searchProblem(search)).toMatch(/a letter, a digit or a picture/);
    },
  );

  test("has a bounded number of words", () => {
    const words = (count: number) => Array.from({ length: count }, () => "x").join(" ");

    expect(searchProblem(words(MAX_SEARCH_WORDS))).toBe(null);
    expect(searchProblem(words(MAX_SEARCH_WORDS + 1))).toBe(
      `a search has at most ${MAX_SEARCH_WORDS} words`,
    );
  });
});
