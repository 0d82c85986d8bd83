import { describe, expect, it } from "vitest";

import { TokenReader } from "../../../bench/clients/token-reader.ts";
import { nowMicroseconds, writeToken } from "../../../bench/model/token.ts";
import type { PeerSession } from "../../../bench/peers/peer.ts";
import { replyOf } from "../../../bench/sessions.ts";

/** A session in which tokens with these numbers arrive. */
function sessionOf(numbers: readonly number[], tellsAgain = false): PeerSession {
  return {
    tellsAgain,
    async reply() {
      const reader = new TokenReader();
      for (const number of numbers) reader.read(writeToken(number, nowMicroseconds()));
      return reader;
    },
  };
}

const SCRIPT = { tokens: 2, reasoning: 1, rate: 0 };

describe("a reply that is measured", () => {
  it("has every token once, in order", async () => {
    const reader = await replyOf(sessionOf([0, 1, 2]), SCRIPT);

    expect([reader.agesMs.length, reader.strays]).toEqual([3, 0]);
  });

  it.each([
    ["is missing at the end", [0, 1], "2 of 3 tokens came in order"],
    ["is missing in the middle", [0, 2], "1 of 3 tokens came in order"],
    ["comes twice", [0, 1, 1, 2], "1 tokens came out of turn"],
    ["comes before its turn, and again in it", [0, 2, 1, 2], "1 tokens came out of turn"],
  ])("fails when a token %s", async (_, numbers, message) => {
    await expect(replyOf(sessionOf(numbers), SCRIPT)).rejects.toThrow(message);
  });

  it("may tell its text once more where the format does so, whole", async () => {
    const told = await replyOf(sessionOf([0, 1, 2, 0, 1, 2], true), SCRIPT);

    expect([told.agesMs.length, told.strays]).toEqual([3, 3]);
    await expect(replyOf(sessionOf([0, 2, 0, 1, 2], true), SCRIPT)).rejects.toThrow(
      "2 tokens came out of turn",
    );
  });
});
