// The room for the answers to a tenant's calls beside its replies.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { AnswerRoom } from "../../../durable-objects/tenants/answer-room.ts";
import {
  ANSWER_ROOM_WAIT_MS,
  LEASE_MS,
  MAX_HELD_ANSWER_BYTES,
} from "../../../protocol/quotas/limits.ts";

const HALF = MAX_HELD_ANSWER_BYTES / 2;
const ALL = MAX_HELD_ANSWER_BYTES;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("room for answers", () => {
  it("is given as long as there is some, and again when a call is over", async () => {
    const room = new AnswerRoom();
    const first = [await room.take("a", HALF), await room.take("b", HALF)];
    const third = room.take("c", 1);
    room.give("a");

    expect([...first, await third]).toEqual([true, true, true]);
  });

  it("is given in the order in which it was asked for: a small answer does not pass a large one", async () => {
    const room = new AnswerRoom();
    await room.take("a", ALL - 1);
    const given: string[] = [];
    const large = room.take("b", HALF).then(() => given.push("b"));
    const small = room.take("c", 1).then(() => given.push("c"));
    room.give("a");
    await Promise.all([large, small]);

    expect(given).toEqual(["b", "c"]);
  });

  it("is not waited for without end, and who waited behind gets what there is", async () => {
    const room = new AnswerRoom();
    await room.take("a", HALF + 1);
    const large = room.take("b", HALF);
    const small = room.take("c", 1);
    await vi.advanceTimersByTimeAsync(ANSWER_ROOM_WAIT_MS);

    expect([await large, await small]).toEqual([false, true]);
  });

  it("is counted once for a call that asks for more, or for what it has", async () => {
    const room = new AnswerRoom();
    const grown = [await room.take("a", HALF), await room.take("a", ALL), await room.take("a", 1)];
    const other = room.take("b", 1);
    await vi.advanceTimersByTimeAsync(ANSWER_ROOM_WAIT_MS);

    expect([...grown, await other]).toEqual([true, true, true, false]);
  });

  it("of a call whose machine was lost is free when its lease is over", async () => {
    const room = new AnswerRoom();
    await room.take("a", ALL);
    vi.setSystemTime(Date.now() + LEASE_MS);

    expect(await room.take("b", ALL)).toBe(true);
  });

  it("that was forgotten with the object is held again by who says that it has it", async () => {
    const room = new AnswerRoom();
    room.hold("a", ALL);
    room.hold("b", HALF);
    const waiting = room.take("c", HALF + 1);
    room.give("a");
    room.give("b");

    expect(await waiting).toBe(true);
  });

  it("is no longer waited for by a call that is over", async () => {
    const room = new AnswerRoom();
    await room.take("a", ALL);
    const waiting = room.take("b", 1);
    room.give("b");

    expect(await waiting).toBe(false);
  });
});
