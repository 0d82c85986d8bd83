import { describe, expect, it } from "vitest";

import { TokenReader } from "../../../bench/clients/token-reader.ts";
import { nowMicroseconds, writeToken } from "../../../bench/model/token.ts";

const SECOND = 1_000_000;

describe("the reader of tokens", () => {
  it("tells how long each token was under way, alone, merged or cut", () => {
    const [first, second, third] = [9, 5, 3].map((seconds, number) =>
      writeToken(number, nowMicroseconds() - seconds * SECOND),
    ) as [string, string, string];
    const reader = new TokenReader();

    reader.read(`data: {"delta":"${first}"}\n\ndata: {"delta":"${second.slice(0, 4)}`);
    reader.read(`${second.slice(4)}${third}"}\n\n`);

    expect(reader.agesMs.map((ms) => Math.floor(ms / 1_000))).toEqual([9, 5, 3]);
  });

  it("counts a token once when its text is told again at the end", () => {
    const tokens = [0, 1, 2].map((number) => writeToken(number, nowMicroseconds()));
    const reader = new TokenReader();

    for (const token of tokens) reader.read(`data: ${token}\n\n`);
    reader.read(`data: ${tokens.join("")}\n\n`);

    expect([reader.agesMs.length, reader.strays]).toEqual([3, 3]);
  });

  it("stops at the first token that is missing", () => {
    const reader = new TokenReader();

    for (const number of [0, 2, 3]) reader.read(writeToken(number, nowMicroseconds()));

    expect([reader.agesMs.length, reader.strays]).toEqual([1, 2]);
  });

  it("takes what comes before the first event for no event", () => {
    const reader = new TokenReader();

    reader.read("retry: 1000\n\n");
    const before = reader.firstEventMs;
    reader.read('data: {"type":"REPLY_START"}\n\n');

    expect([before, reader.firstEventMs >= 0, reader.firstTokenMs]).toEqual([NaN, true, NaN]);
  });

  it("reads moments across the end of the clock's digits", () => {
    const wrap = 36 ** 7;
    const reader = new TokenReader();

    reader.read(writeToken(0, nowMicroseconds() + wrap - 7 * SECOND));

    expect(reader.agesMs.map((ms) => Math.floor(ms / 1_000))).toEqual([7]);
  });
});
