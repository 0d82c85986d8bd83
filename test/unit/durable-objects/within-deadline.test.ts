import { expect, test, vi } from "vitest";

import { withinDeadline } from "../../../runtime/within-deadline.ts";

test("a value that comes in time is the value, and leaves no timer behind", async () => {
  vi.useFakeTimers();
  expect(await withinDeadline(Promise.resolve("here"), 60_000)).toBe("here");
  await expect(withinDeadline(Promise.reject(new Error("no")), 60_000)).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("what does not come in time fails, and may fail later unheard", async () => {
  vi.useFakeTimers();
  const late = Promise.withResolvers<string>();
  const waiting = expect(withinDeadline(late.promise, 60_000)).rejects.toThrow(
    "no answer for 60000 ms",
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await waiting;
  late.reject(new Error("too late to matter"));
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
