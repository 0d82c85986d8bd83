import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { modelError } from "../../../agent/state/model-error.ts";
import { decideRetry } from "../../../agent/model-turn/retry-policy.ts";
import { ErrorTypeSchema } from "../../../protocol/messages/messages.ts";

const PASSING = ["rate_limit", "upstream", "connection"] as const;

describe("the decision to call a model again", () => {
  it.each(PASSING)("waits twice as long each time for %s, three times", (type) => {
    const waits = [1, 2, 3, 4].map((attempt) =>
      decideRetry(attempt, modelError(type), { random: 0 }),
    );

    expect(waits).toEqual([{ waitMs: 500 }, { waitMs: 1_000 }, { waitMs: 2_000 }, null]);
  });

  it.each(ErrorTypeSchema.options.filter((type) => !PASSING.includes(type as never)))(
    "is no for %s, which waiting does not mend",
    (type) => {
      expect(decideRetry(1, modelError(type), { random: 0, retryAfterMs: 10 })).toBe(null);
    },
  );

  it("spreads the wait over the upper half of the back-off", () => {
    const waits = [0, 0.5, 0.999].map((random) =>
      decideRetry(2, modelError("upstream"), { random }),
    );

    expect(waits).toEqual([{ waitMs: 1_000 }, { waitMs: 1_500 }, { waitMs: 1_999 }]);
  });

  it("honours a Retry-After of a minute at most, and gives up above it", () => {
    const waits = [0, 10, 20_000, 60_000, 60_001].map((retryAfterMs) =>
      decideRetry(1, modelError("rate_limit"), { random: 0, retryAfterMs }),
    );

    expect(waits).toEqual([
      { waitMs: 500 },
      { waitMs: 500 },
      { waitMs: 20_000 },
      { waitMs: 60_000 },
      null,
    ]);
  });

  it("never comes back before the time that the provider named", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (attempt, retryAfterMs, random) => {
          const retry = decideRetry(attempt, modelError("rate_limit"), { retryAfterMs, random });
          return retry !== null && retry.waitMs >= retryAfterMs && retry.waitMs <= 66_000;
        },
      ),
    );
  });
});
