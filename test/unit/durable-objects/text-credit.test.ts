// A client's text is parsed for so many bytes in a time.
import { expect, it } from "vitest";

import { TextCredit } from "../../../durable-objects/voice/text-credit.ts";
import { MAX_VOICE_TEXT_BYTES_PER_WINDOW } from "../../../protocol/voice/limits.ts";

it("is a window's at once, and behind it what time allows", () => {
  const credit = new TextCredit();
  const half = MAX_VOICE_TEXT_BYTES_PER_WINDOW / 2;
  const times = [1_000, 1_000, 6_000, 6_000];

  expect(times.map((nowMs) => credit.spend(half, nowMs))).toEqual([true, true, true, false]);
});
