import { describe, expect, it } from "vitest";

import { FrameQueue } from "../../../sdk/voice/frame-queue.ts";

function takeAll(queue: FrameQueue, nowMs: number): readonly unknown[] {
  const taken: unknown[] = [];
  for (;;) {
    const data = queue.take(nowMs);
    if (data === undefined) return taken;
    taken.push(typeof data === "string" ? data : data.byteLength);
  }
}

describe("frames that wait for a connection", () => {
  it("leave in the order in which they came", () => {
    const queue = new FrameQueue(1_000);
    queue.add(new Uint8Array(10), false, 0);
    queue.add("commit", false, 0);
    queue.add("text", true, 0);

    expect(takeAll(queue, 0)).toEqual([10, "commit", "text"]);
    expect(queue.isEmpty).toBe(true);
  });

  it("are the newest audio alone, as much of it as is allowed", () => {
    const queue = new FrameQueue(100);
    for (const size of [60, 50, 40, 10]) queue.add(new Uint8Array(size), false, 0);

    expect(takeAll(queue, 0)).toEqual([50, 40, 10]);
  });

  it("are not sent late, but what was typed or answered is", () => {
    const queue = new FrameQueue(1_000);
    queue.add(new Uint8Array(10), false, 0);
    queue.add("commit", false, 500);
    queue.add("text", true, 0);
    queue.add(new Uint8Array(20), false, 1_000);

    expect(takeAll(queue, 2_600)).toEqual(["text", 20]);
    expect(takeAll(queue, 60_000)).toEqual([]);
  });

  it("are refused beyond a hundred that are kept", () => {
    const queue = new FrameQueue(1_000);
    const taken = Array.from({ length: 101 }, (_, index) => queue.add(`text ${index}`, true, 0));

    expect(taken.indexOf(false)).toBe(100);
    expect(takeAll(queue, 0)).toHaveLength(100);
  });
});
