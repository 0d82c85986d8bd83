import { describe, expect, it } from "vitest";

import { CharacterClasses } from "../../../agent/permission/patterns/character-classes.ts";
import {
  compileGlob,
  compileStars,
  matchGlob,
  toCodePoints,
} from "../../../agent/permission/patterns/glob.ts";

/** The characters that the class has; the class is the whole pattern. */
function members(pattern: string, characters: string): string {
  const classes = new CharacterClasses();
  expect(classes.read(pattern, 0)).toBe(pattern.length);
  expect(classes.count).toBe(1);
  return [...characters].filter((one) => classes.has(0, one.codePointAt(0) ?? 0)).join("");
}

describe("a class of characters", () => {
  it.each([
    ["[abc]", "abcd-", "abc"],
    ["[b-d]", "abcde-", "bcd"],
    ["[d-b]", "bcd-", ""],
    ["[!b-d]", "abcde", "ae"],
    ["[^b-d]", "abcde^", "ae^"],
    ["[]a]", "]a[", "]a"],
    ["[!]a]", "]ab", "b"],
    ["[a-]", "a-b", "a-"],
    ["[-a]", "a-b", "a-"],
    ["[--a]", "-a/+b", "-a/"],
    ["[a-c-e]", "abcde-", "abce-"],
    ["[a!]", "a!b", "a!"],
    ["[~\u007f]", "~\u007f\u0080", "~\u007f"],
    ["[é]", "éèe", "é"],
    ["[à-è]", "ßàçèé", "àçè"],
    ["[à-çè-ê]", "ßàçèéêë", "àçèéê"],
    ["[!à-è]", "ßàèé", "ßé"],
    ["[y-é]", "xyz~ßéê", "yz~ßé"],
    ["[é-à]", "àèé", ""],
    ["[😀-😂]", "😀😁😂😃-", "😀😁😂"],
    ["[😀]a", "", ""],
  ])("%s has of %j %j", (pattern, characters, expected) => {
    if (!pattern.endsWith("]")) {
      expect(new CharacterClasses().read(pattern, 0)).toBe(pattern.length - 1);
      return;
    }
    expect(members(pattern, characters)).toBe(expected);
  });

  it.each(["[", "[]", "[!]", "[^]", "[abc"])("is not begun by %s, which nothing closes", (text) => {
    const classes = new CharacterClasses();

    expect(classes.read(text, 0)).toBe(-1);
    expect(classes.count).toBe(0);
  });

  it("keeps the classes of one pattern apart, however many there are", () => {
    const classes = new CharacterClasses();
    const letters = "abcdefghijklmnopqrstuvwxyzé";
    for (const letter of letters) classes.read(`[${letter}]`, 0);

    const own = [...letters].map((_, index) =>
      [...letters].filter((one) => classes.has(index, one.codePointAt(0) ?? 0)).join(""),
    );

    expect(own).toEqual([...letters]);
  });

  it("costs a comparison for each of its ranges beyond ASCII", () => {
    const classes = new CharacterClasses();
    for (const text of ["[a-z]", "[à-çè]", "[y-é]"]) classes.read(text, 0);

    expect([0, 1, 2].map((index) => classes.costOf(index))).toEqual([0, 2, 1]);
  });
});

describe("a pattern", () => {
  it.each([
    ["a[bc]d", "abd", "yes"],
    ["a[bc]d", "aed", "no"],
    ["[a]", "a", "yes"],
    ["x[a", "x[a", "yes"],
    ["]x[", "]x[", "yes"],
    ["😀?", "😀😁", "yes"],
    ["?", "😀", "yes"],
    ["??", "😀", "no"],
    ["\uffff?", "\uffffa", "yes"],
    ["[😀]x", "😀x", "yes"],
    ["*[0-9]", "abc7", "yes"],
    ["*[0-9]", "abc", "no"],
  ])("%s: %s fits: %s", (pattern, text, verdict) => {
    expect(matchGlob(compileGlob(pattern), toCodePoints(text))).toBe(verdict);
  });

  it.each([
    ["a*", "abc", "yes"],
    [String.raw`a\*`, "a*", "yes"],
    [String.raw`a\*`, "abc", "no"],
    [String.raw`a\\*`, String.raw`a\bc`, "yes"],
    [String.raw`a\b`, String.raw`a\b`, "yes"],
    [String.raw`\a*`, String.raw`\abc`, "yes"],
    ["😀*", "😀a", "yes"],
    ["\uffff*", "\uffffa", "yes"],
    ["[a]", "a", "no"],
    ["?", "a", "no"],
  ])("of a command, %s: %s fits: %s", (pattern, text, verdict) => {
    expect(matchGlob(compileStars(pattern), toCodePoints(text))).toBe(verdict);
  });
});
