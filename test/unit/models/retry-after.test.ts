import { describe, expect, it } from "vitest";

import { readRetryAfterMs } from "../../../model/stream/read-retry-after.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

describe("the time that a provider asks for", () => {
  it.each([
    ["seconds", { "retry-after": "20" }, 20_000],
    ["parts of a second", { "retry-after": "0.5" }, 500],
    ["no time at all", { "retry-after": "0" }, 0],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT" }, 30_000],
    ["a date that has passed", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, 0],
    ["milliseconds, which count first", { "retry-after": "20", "retry-after-ms": "1500" }, 1_500],
    ["milliseconds that are none", { "retry-after": "20", "retry-after-ms": "soon" }, 20_000],
    ["nothing", {}, undefined],
    ["rubbish", { "retry-after": "soon" }, undefined],
    ["less than nothing", { "retry-after": "-1" }, undefined],
    ["more than any number", { "retry-after": "9".repeat(400) }, undefined],
    ["another kind of date", { "retry-after": "2026-11-21T12:00:30Z" }, undefined],
  ])("is read from %s", (_case, headers, waitMs) => {
    expect(readRetryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(waitMs);
  });
});
