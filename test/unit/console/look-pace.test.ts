import { expect, test } from "vitest";

import { afterFailure, afterLook, FIRST_PACE } from "../../../console/pages/inbox/look-pace.ts";

test("the inbox looks soon after a change, and up to a quarter of a minute later while nothing happens", () => {
  const changed = afterLook(FIRST_PACE, "call_1");
  let pace = changed;
  const waits = [1, 2, 3, 4, 5, 6, 7].map(() => {
    pace = afterLook(pace, "call_1");
    return pace.ms;
  });

  expect(changed).toEqual({ ms: 2_000, seen: "call_1" });
  expect(waits).toEqual([3_000, 4_500, 6_750, 10_125, 15_000, 15_000, 15_000]);
  expect(afterLook(pace, "").ms).toBe(2_000);
});

test("while the platform does not answer it doubles up to a minute, and an answer with something new resets it", () => {
  let pace = afterLook(FIRST_PACE, "call_1");
  const waits = [1, 2, 3, 4, 5, 6].map(() => {
    pace = afterFailure(pace);
    return pace.ms;
  });

  expect(waits).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(afterLook(pace, "call_1 call_2").ms).toBe(2_000);
});

test("after failures, an answer with nothing new does not keep the long pause", () => {
  const failing = [1, 2, 3, 4, 5].reduce(afterFailure, afterLook(FIRST_PACE, "call_1"));

  expect(afterLook(failing, "call_1").ms).toBe(15_000);
});
