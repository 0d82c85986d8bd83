// Text that was heard when so much of its audio has been played.
import "../../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  cutAtWord,
  heardCharacters,
  withMark,
  type Mark,
} from "../../../agent/voice/heard-text.ts";
import { MAX_MARKS } from "../../../agent/voice/limits.ts";

describe("characters that were heard", () => {
  const marks = [
    { characters: 0, ms: 0 },
    { characters: 20, ms: 1_000 },
    { characters: 50, ms: 1_500 },
  ];
  const spoken = { marks, characters: 60, ms: 2_000, isDone: true };

  it.each([
    [0, 0],
    [500, 10],
    [999, 19],
    [1_000, 20],
    [1_250, 35],
    [1_750, 55],
    [1_985, 60],
    [9_000, 60],
  ])("after %d ms are %d", (playedMs, characters) => {
    expect(heardCharacters(spoken, playedMs)).toBe(characters);
  });

  it("of a text without audio are none", () => {
    expect(heardCharacters({ marks: [], characters: 9, ms: 0, isDone: false }, 0)).toBe(0);
  });

  it("of a sentence whose audio is still coming are no more than a fast speaker says", () => {
    const open = { marks: [{ characters: 0, ms: 0 }], characters: 100, ms: 1_000, isDone: false };

    expect([
      heardCharacters(open, 1_000),
      heardCharacters({ ...open, isDone: true }, 1_000),
    ]).toEqual([25, 100]);
  });

  it("begin where an item begins, in a text that other items have begun", () => {
    const later = { marks: [{ characters: 40, ms: 0 }], characters: 80, ms: 1_000, isDone: true };

    expect([heardCharacters(later, 0), heardCharacters(later, 500)]).toEqual([40, 60]);
  });

  it("never become less with more that was played, nor more than there are", () => {
    const deltas = fc.array(fc.tuple(fc.nat(9), fc.nat(300)), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(deltas, fc.boolean(), fc.boolean(), (steps, isDone, isExact) => {
        const { marks: made, characters, ms } = marksOf(steps, isExact);
        const text = { marks: made, characters, ms, isDone };
        const heard = Array.from({ length: 40 }, (_, index) => heardCharacters(text, index * 250));

        expect(heard).toEqual(heard.toSorted((a, b) => a - b));
        expect(heard.filter((count) => count < 0 || count > characters)).toEqual([]);
      }),
    );
  });
});

describe("marks", () => {
  it("of a transcript that is ahead of its audio share what follows", () => {
    expect(
      marksOf(
        [
          [5, 0],
          [5, 0],
          [5, 900],
        ],
        false,
      ).marks,
    ).toEqual([{ characters: 0, ms: 0 }]);
  });

  it("of a transcript that is behind its audio begin with it", () => {
    const { marks } = marksOf(
      [
        [0, 900],
        [5, 0],
        [5, 0],
      ],
      false,
    );

    expect(heardCharacters({ marks, characters: 10, ms: 900, isDone: true }, 450)).toBe(5);
  });

  it("of a cascade say that what has no audio is over before the next sentence", () => {
    expect(
      marksOf(
        [
          [5, 500],
          [90, 0],
          [5, 500],
        ],
        true,
      ).marks,
    ).toEqual([
      { characters: 0, ms: 0 },
      { characters: 95, ms: 500 },
    ]);
  });

  it("of a long text are bounded, and say nearly the same", () => {
    const steps = Array.from({ length: 5_000 }, () => [10, 500] as const);
    const { marks, characters, ms } = marksOf(steps, true);

    expect(marks.length).toBeLessThanOrEqual(MAX_MARKS);
    expect(heardCharacters({ marks, characters, ms, isDone: true }, 1_000_000)).toBe(20_000);
  });
});

describe("a text that is cut at a word", () => {
  it.each([
    ["Hello big world", 15, "Hello big world"],
    ["Hello big world", 14, "Hello big"],
    ["Hello big world", 9, "Hello big"],
    ["Hello big world", 10, "Hello big"],
    ["Hello big world", 4, ""],
    ["Hello big world", 0, ""],
    ["Hello, big world", 5, "Hello"],
    ["Don't go", 3, ""],
    ["It is 3.14 now", 7, "It is"],
    ["你好，世界很大", 4, "你好，世"],
    ["สวัสดีครับ", 5, "สวัส"],
    ["これはテストです", 5, "これはテス"],
    ["Hi 👨‍👩‍👧 there", 5, "Hi"],
    ["Hi 👨‍👩‍👧👍 there", 12, "Hi 👨‍👩‍👧"],
    ["여기 있습니다", 4, "여기"],
  ])("%j at %d is %j", (text, characters, heard) => {
    expect(cutAtWord(text, characters)).toBe(heard);
  });

  it("is a beginning of it, without half a character, that only grows", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const cuts = Array.from({ length: text.length + 2 }, (_, index) => cutAtWord(text, index));

        expect(cuts.every((heard) => text.startsWith(heard) && heard.isWellFormed())).toBe(true);
        expect(cuts.map(({ length }) => length)).toEqual(
          cuts.map(({ length }) => length).toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

/** Marks as deltas of so many characters come, each with so many milliseconds of audio behind it. */
function marksOf(steps: readonly (readonly [characters: number, ms: number])[], isExact: boolean) {
  let marks: readonly Mark[] = [];
  let characters = 0;
  let ms = 0;
  for (const [length, audioMs] of steps) {
    if (length > 0) marks = withMark(marks, { characters, ms }, isExact);
    characters += length;
    ms += audioMs;
  }
  return { marks, characters, ms };
}
