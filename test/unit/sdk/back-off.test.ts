import { expect, it } from "vitest";

import { ApiError } from "../../../sdk/transport/api-error.ts";
import { backOffMs } from "../../../sdk/transport/back-off.ts";

const QUICK = { firstDelayMs: 2, maxDelayMs: 20, stallMs: 2_000, giveUpAfterMs: 10_000 };

/** Timers of all runtimes count in 31 bits, and fire at once when they are given more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function refusedUntil(retryAfter: string): ApiError {
  const response = new Response(null, { status: 503, headers: { "Retry-After": retryAfter } });
  return new ApiError(response, null);
}

it.each(["2147484", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
  "a Retry-After of %s is a wait that a timer can hold",
  (retryAfter) => {
    expect(backOffMs(1, refusedUntil(retryAfter), QUICK)).toBe(LONGEST_TIMER_MS);
  },
);

it.each(["-1", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"])(
  "a Retry-After of %s asks for nothing",
  (retryAfter) => {
    const waitMs = backOffMs(1, refusedUntil(retryAfter), QUICK);

    expect(waitMs).toBeGreaterThanOrEqual(QUICK.firstDelayMs);
    expect(waitMs).toBeLessThanOrEqual(QUICK.firstDelayMs * 1.5);
  },
);
