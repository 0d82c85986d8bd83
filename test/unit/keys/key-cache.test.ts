import { describe, expect, test } from "vitest";

import type { KeyRecord } from "../../../storage/keys/key-record.ts";
import { KeyCache } from "../../../worker/auth/key-cache.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function record(id: string, last_used_at: string | null = null): KeyRecord {
  return {
    id,
    tenant_id: "ten_1",
    scopes: [],
    expires_at: null,
    last_used_at,
    tenant_status: "active",
    requests: 10_000,
  };
}

/** A database of keys by hash that counts how often it is asked, and a clock that is set by hand. */
function setUp(capacity = 100) {
  const state = { nowMs: 1_000_000, isDown: false, asked: 0 };
  const keys = new Map<string, KeyRecord>();
  const cache = new KeyCache({ capacity, now: () => state.nowMs });
  async function find(hash: string): Promise<string | null> {
    const found = await cache.find(hash, async () => {
      state.asked += 1;
      if (state.isDown) throw new Error("D1 is down");
      return keys.get(hash) ?? null;
    });
    return found?.id ?? null;
  }
  return { state, keys, cache, find };
}

describe("the cache of keys", () => {
  test("asks once in 30 seconds, so a revoked key stops within them", async () => {
    const { state, keys, find } = setUp();
    keys.set("a", record("key_a"));

    const seen = [await find("a")];
    keys.delete("a");
    for (const step of [29 * SECOND, 2 * SECOND]) {
      state.nowMs += step;
      seen.push(await find("a"));
    }

    expect([seen, state.asked]).toEqual([["key_a", "key_a", null], 2]);
  });

  test("serves what it knew for an hour while the database is down, and no longer", async () => {
    const { state, keys, find } = setUp();
    keys.set("a", record("key_a"));
    await find("a");
    state.isDown = true;

    state.nowMs += 59 * MINUTE;
    const stale = await find("a");
    state.nowMs += MINUTE;
    const gone = find("a");

    expect(stale).toBe("key_a");
    await expect(gone).rejects.toThrow("D1 is down");
  });

  test("does not ask for every request while the database is down", async () => {
    const { state, keys, find } = setUp();
    keys.set("a", record("key_a"));
    await find("a");
    state.isDown = true;
    state.nowMs += MINUTE;

    for (let count = 0; count < 50; count += 1) await find("a");
    state.nowMs += 5 * SECOND;
    await find("a");

    expect(state.asked).toBe(3);
  });

  test("believes the database again as soon as it answers", async () => {
    const { state, keys, find } = setUp();
    keys.set("a", record("key_a"));
    await find("a");
    state.isDown = true;
    state.nowMs += MINUTE;
    await find("a");

    state.isDown = false;
    keys.delete("a");
    state.nowMs += 5 * SECOND;

    expect(await find("a")).toBeNull();
  });

  test("serves no key that it never knew while the database is down", async () => {
    const { state, find } = setUp();
    state.isDown = true;

    await expect(find("a")).rejects.toThrow("D1 is down");
  });

  test("does not go back to a key that it saw revoked when the database is down after that", async () => {
    const { state, keys, cache, find } = setUp();
    keys.set("a", record("key_a"));
    await find("a");
    keys.delete("a");
    state.nowMs += 30 * SECOND;
    const revoked = await find("a");

    state.isDown = true;
    state.nowMs += 10 * SECOND;
    const asked = find("a");

    await expect(asked).rejects.toThrow("D1 is down");
    expect([revoked, cache.isKnown("a")]).toEqual([null, false]);
  });

  test("refuses a wrong key again without asking, for ten seconds", async () => {
    const { state, find } = setUp();

    for (let count = 0; count < 50; count += 1) await find("wrong");
    const before = state.asked;
    state.nowMs += 10 * SECOND;
    await find("wrong");

    expect([before, state.asked]).toEqual([1, 2]);
  });

  test("forgets the oldest when it is full, and no good key for wrong ones", async () => {
    const { state, keys, find } = setUp(3);
    for (const hash of ["a", "b", "c", "d"]) {
      keys.set(hash, record(`key_${hash}`));
      await find(hash);
    }
    for (let count = 0; count < 50; count += 1) await find(`wrong-${count}`);
    const before = state.asked;

    await find("d");
    await find("b");
    const kept = state.asked;
    await find("a");

    expect([before, kept, state.asked]).toEqual([54, 54, 55]);
  });

  test("asks again at once after a change that it is told of", async () => {
    const { keys, cache, find } = setUp();
    keys.set("a", record("key_a"));
    await find("a");
    keys.delete("a");

    cache.forget(({ id }) => id === "key_a");

    expect(await find("a")).toBeNull();
  });

  test("notes a use once a minute, as counted here or by others", () => {
    const { state, cache } = setUp();
    const usedElsewhere = record("key_b", new Date(state.nowMs - 30 * SECOND).toISOString());

    const due = [cache.isUseDue(record("key_a")), cache.isUseDue(record("key_a"))];
    const dueOfOther = [cache.isUseDue(usedElsewhere)];
    state.nowMs += MINUTE;
    due.push(cache.isUseDue(record("key_a")));
    dueOfOther.push(cache.isUseDue(usedElsewhere));

    expect([due, dueOfOther]).toEqual([
      [true, false, true],
      [false, true],
    ]);
  });
});
