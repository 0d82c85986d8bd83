import { expect, it } from "vitest";

import { anyStop } from "../../../agent/context/any-stop.ts";

it("a signal of two is aborted with the first of them, and tells each listener once", () => {
  for (const first of [0, 1]) {
    const sources = [new AbortController(), new AbortController()] as const;
    const { stop } = anyStop(sources[0].signal, sources[1].signal);
    const told: string[] = [];
    const gone = () => told.push("gone");
    stop.addEventListener("abort", () => told.push("told"));
    stop.addEventListener("abort", gone);
    stop.removeEventListener("abort", gone);
    const before = stop.aborted;
    sources[first]?.abort();
    const after = stop.aborted;
    sources[1 - first]?.abort();

    expect([before, after, told]).toEqual([false, true, ["told"]]);
  }
});

it("a signal of two that was forgotten tells nobody", () => {
  const source = new AbortController();
  const { stop, forget } = anyStop(source.signal, new AbortController().signal);
  const told: string[] = [];
  stop.addEventListener("abort", () => told.push("told"));
  forget();
  source.abort();

  expect(told).toEqual([]);
});
