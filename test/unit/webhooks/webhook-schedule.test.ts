import { describe, expect, it } from "vitest";

import { MAX_WEBHOOK_DELAY_MS, WEBHOOK_RETRY_MS } from "../../../protocol/webhooks/limits.ts";
import { nextWebhookDelayMs } from "../../../webhooks/next-webhook-delay.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

describe("nextWebhookDelayMs", () => {
  it("goes from five seconds to a day", () => {
    const delays = WEBHOOK_RETRY_MS.map((_, index) =>
      nextWebhookDelayMs({ attempts: index + 1, random: 0 }),
    );

    expect(delays).toEqual([
      5_000,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    ]);
  });

  it("ends after the tenth attempt", () => {
    expect(nextWebhookDelayMs({ attempts: 10, random: 0 })).toBeNull();
    expect(nextWebhookDelayMs({ attempts: 10, random: 0, retryAfterMs: 1_000 })).toBeNull();
  });

  it.each([0, 0.25, 0.5, 0.999_999])("takes at most a fifth off, at chance %d", (random) => {
    const parts = WEBHOOK_RETRY_MS.map(
      (nominalMs, index) => nextWebhookDelayMs({ attempts: index + 1, random })! / nominalMs,
    );

    expect(parts.filter((part) => part < 0.8 || part > 1)).toEqual([]);
  });

  it("differs with chance, so that receivers are not met by all at once", () => {
    const delays = [0, 0.5, 0.9].map((random) => nextWebhookDelayMs({ attempts: 2, random }));

    expect(new Set(delays).size).toBe(3);
  });

  it.each([
    ["longer than the schedule", 20_000, 20_000],
    ["shorter than the schedule", 1_000, 5_000],
    ["no whole second", 7_200.5, 8_000],
    ["beyond a day", 7 * 24 * HOUR_MS, MAX_WEBHOOK_DELAY_MS],
  ])("heeds a Retry-After that is %s", (_, retryAfterMs, delayMs) => {
    expect(nextWebhookDelayMs({ attempts: 1, random: 0, retryAfterMs })).toBe(delayMs);
  });
});
