import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  eventId,
  formatId,
  ID_RANDOM_BYTES,
  idTimeMs,
  isId,
  TIMELESS_ID_MS,
} from "../../../protocol/ids.ts";

const LATEST_MS = 32 ** 10 - 1;

const randomBytes = fc.uint8Array({ minLength: ID_RANDOM_BYTES, maxLength: ID_RANDOM_BYTES });
const timeMs = fc.maxSafeNat().map((time) => time % (LATEST_MS + 1));

describe("the form of an id", () => {
  test("is the prefix, ten characters of time and sixteen of random bits", () => {
    const random = Uint8Array.from({ length: ID_RANDOM_BYTES }, (_, index) => index);

    expect([
      formatId("ses", 0, new Uint8Array(ID_RANDOM_BYTES)),
      formatId("rep", 33, random),
      formatId("msg", LATEST_MS, new Uint8Array(ID_RANDOM_BYTES).fill(255)),
    ]).toEqual([
      "ses_00000000000000000000000000",
      "rep_00000000110123456789abcdef",
      "msg_zzzzzzzzzzzzzzzzzzzzzzzzzz",
    ]);
  });

  test("takes the low five bits of a byte, and no byte behind the sixteenth", () => {
    const random = new Uint8Array(ID_RANDOM_BYTES + 4).fill(32 + 7);

    expect(formatId("agt", 0, random)).toBe(`agt_${"0".repeat(10)}${"7".repeat(16)}`);
  });

  test("sorts by its time, whatever the bytes are", () => {
    fc.assert(
      fc.property(timeMs, timeMs, randomBytes, randomBytes, (left, right, some, others) => {
        fc.pre(left < right);
        expect(formatId("ses", left, some) < formatId("ses", right, others)).toBe(true);
      }),
    );
  });

  test("has its time in it, up to the latest one", () => {
    fc.assert(
      fc.property(timeMs, randomBytes, (time, random) => {
        expect(idTimeMs(formatId("call", time, random))).toBe(time);
      }),
    );
    expect(TIMELESS_ID_MS).toBe(LATEST_MS);
    expect(idTimeMs(formatId("ses", TIMELESS_ID_MS, new Uint8Array(16)))).toBe(LATEST_MS);
  });

  test("of another text the time is 0", () => {
    expect(["", "ses_", "UUUUUUUUUU", "ses_!!!!!!!!!!!"].map(idTimeMs)).toEqual([0, 0, 0, 0]);
  });

  test("of an event is its seq", () => {
    expect(eventId(17)).toBe("evt_17");
  });
});

describe("what has the form of an id", () => {
  const id = formatId("ses", 1_790_000_000_000, new Uint8Array(ID_RANDOM_BYTES).fill(9));

  test("is every id that is made, with its own prefix alone", () => {
    fc.assert(
      fc.property(timeMs, randomBytes, (time, random) => {
        const made = formatId("key", time, random);
        expect([isId("key", made), isId("ses", made)]).toEqual([true, false]);
      }),
    );
  });

  test.each([
    ["nothing", ""],
    ["the prefix alone", "ses_"],
    ["a character too few", id.slice(0, -1)],
    ["a character too many", `${id}0`],
    ["a character too many at the start", `0${id}`],
    ["a character too many behind the prefix", `ses_0${id.slice(4)}`],
    ["capital letters", `ses_${id.slice(4).toUpperCase()}`],
    ["another separator", id.replace("_", "-")],
    ["another prefix of the same length", id.replace("ses", "rep")],
    ["a line break behind it", `${id}\n`],
    ...["i", "l", "o", "u", "é", " ", "%"].map((letter) => [
      `the letter ${letter}`,
      `${id.slice(0, -1)}${letter}`,
    ]),
  ])("is not %s", (_, text) => {
    expect(isId("ses", text as string)).toBe(false);
  });
});
