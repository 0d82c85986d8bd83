// The runtime's own regular expressions are the oracle: they say the same wherever they come to an end.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compilePattern } from "../../../../agent/json-schema/pattern/pattern-program.ts";
import { PatternMachine } from "../../../../agent/json-schema/pattern/pattern-machine.ts";
import { PatternText } from "../../../../agent/json-schema/pattern/pattern-text.ts";
import { StepBudget } from "../../../../agent/step-budget.ts";
import { isUnicodeProperty, readPattern } from "../../../../protocol/pattern/read-pattern.ts";
import { runs } from "../../../support/breadth.ts";

function search(pattern: string, text: string): { found: boolean; steps: number } {
  const read = readPattern(pattern, isUnicodeProperty);
  if (!read.ok) throw new Error(read.problem);
  const budget = new StepBudget(Infinity);
  const found = new PatternMachine(compilePattern(read.tree), budget).finds(new PatternText(text));
  return { found, steps: budget.spent };
}

function problemOf(pattern: string): string | null {
  const read = readPattern(pattern, isUnicodeProperty);
  return read.ok ? null : read.problem;
}

const atom = fc.constantFrom(
  ..."abcA1_- .",
  "^",
  "$",
  "\\b",
  "\\B",
  "\\d",
  "\\W",
  "\\s",
  "\\S",
  "[ab]",
  "[^a-c]",
  "[\\]\\d-]",
  "[]",
  "[^]",
  "\\p{L}",
  "\\P{Lu}",
  "\\.",
  "\\u0061",
  "\\x62",
  "\\u{1F600}",
  "\\uD83D\\uDE00",
  "😀",
  "\\n",
  "\\cJ",
  "\\0",
);
const pattern = fc.letrec<{ piece: string; choice: string; sequence: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, depthIdentifier: "pattern" },
    atom,
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?<n>", "(?=", "(?!", "(?<=", "(?<!"), tie("choice"))
      .map(([open, inner]) =>
        open === "(?<n>" && inner.includes("(?<n>") ? `(${inner})` : `${open}${inner})`,
      ),
    fc
      .tuple(
        fc.constantFrom("a", "[ab]", "(?:ab|b?)", "\\w", "😀"),
        fc.constantFrom("*", "+", "?", "*?", "{2}", "{0}", "{1,}", "{0,3}?"),
      )
      .map(([part, quantifier]) => part + quantifier),
    fc
      .tuple(tie("choice"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}"))
      .map(([inner, quantifier]) => `(?:${inner})${quantifier}`),
  ),
  sequence: fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
  choice: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
})).choice;
const text = fc
  .array(fc.constantFrom(..."abcAB1_- .\n\0]", "😀", "\ud83d", "\ude00", "é", "ß", "\u2028"), {
    maxLength: 8,
  })
  .map((characters) => characters.join(""));

/** Patterns that look around too often are refused. */
function isTaken(source: string): boolean {
  return readPattern(source, isUnicodeProperty).ok;
}

describe("a pattern", () => {
  it("finds what the runtime's regular expressions find", () => {
    fc.assert(
      fc.property(
        pattern.filter(isTaken),
        fc.array(text, { minLength: 1, maxLength: 6 }),
        (source, drawn) => {
          // The neighbours of a place are characters in the standard; the runtime begins in the middle of a character
          // too: it finds `\B` between the halves of a surrogate pair.
          const looks = /\(\?<?[=!]|\\B/.test(source);
          const texts = looks ? drawn.filter((each) => [...each].length === each.length) : drawn;
          const own = texts.map((each) => search(source, each).found);
          expect(own).toEqual(texts.map((each) => new RegExp(source, "u").test(each)));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("begins at whole characters", () => {
    expect(search("\\B", "a😀a").found).toBe(false);
    expect(search("\\B", "a😀😀a").found).toBe(true);
  });

  it.each([
    ["^([a-zA-Z0-9_.+-]+)+@[a-z.]+$", "a".repeat(100_000)],
    ["^(a+)+$", `${"a".repeat(100_000)}!`],
    ["^(a|a)*$", `${"a".repeat(100_000)}!`],
    ["^(?:a?){0,30}(?:a*)*b", "a".repeat(100_000)],
    ["(x+x+)+y", "x".repeat(100_000)],
    ["^(?!\\.)(?!.*\\.\\.)([a-z.]*)[a-z]@([a-z]+\\.)+[a-z]{2,}$", "a".repeat(100_000)],
    ["(?<=(a|a)*)b", "a".repeat(100_000)],
  ])("%s takes a few steps a character", (source, hostile) => {
    expect(search(source, hostile).found).toBe(false);
    expect(search(source, hostile).steps).toBeLessThan(4 * hostile.length);
  });

  it("that has very many states is counted state by state", () => {
    const random = Array.from(
      { length: 2_000 },
      (_, index) => "ab"[((index * index) % 7) % 2],
    ).join("");
    const { steps } = search("^(a|b)*a(a|b){200}c", random);
    expect(steps).toBeGreaterThan(2_000 * 50);
    expect(steps).toBeLessThan(2_000 * 200 * 20);
  });

  it("may repeat a character as often as a text is long", () => {
    expect(search("^[^<>]{1,4000}$", "x".repeat(4_000)).found).toBe(true);
    expect(search("^[^<>]{1,4000}$", "x".repeat(4_001)).found).toBe(false);
    expect(search("^[^<>]{1,4000}$", "x".repeat(4_000)).steps).toBeLessThan(250_000);
  });

  it.each([
    ["(", "is no regular expression"],
    ["a{2,1}", "is no regular expression"],
    ["(a)\\1", /^refers back/],
    ["(?<n>a)\\k<n>", /^refers back/],
    ["(?i:a)", /^changes flags within|^is no regular expression/],
    ["(?:a{1000}){1000}", /^repeats too much/],
    ["a{99999999999999}", /^repeats too much/],
    [`${"(".repeat(101)}${")".repeat(101)}`, "nests more than 100 groups"],
    ["(?=a)".repeat(17), "looks ahead or behind more than 16 times"],
    ["a".repeat(8_193), "has more than 8192 characters"],
  ])("%s is refused", (source, problem) => {
    expect(problemOf(source)).toMatch(problem);
  });
});
