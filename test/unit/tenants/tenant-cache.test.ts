import { describe, expect, test, vi } from "vitest";

import type { TenantAdmission } from "../../../durable-objects/api/tenant-api.ts";
import { DEFAULT_QUOTAS } from "../../../protocol/quotas/contract.ts";
import { TenantCache } from "../../../worker/auth/tenant-cache.ts";

function admission(status: TenantAdmission["status"]): TenantAdmission {
  return { status, quotas: DEFAULT_QUOTAS, revision: 0, revoked_makers: [] };
}

/** A tenant's object that counts how often it is asked, and a clock that is set by hand. */
function setUp(capacity = 100) {
  const state = { nowMs: 1_000_000, isLost: false, asked: 0 };
  const statuses: { current: TenantAdmission["status"] } = { current: "active" };
  const cache = new TenantCache({ capacity, now: () => state.nowMs });
  const find = async (tenantId = "ten_1") => {
    const found = await cache.find(tenantId, async () => {
      state.asked += 1;
      if (state.isLost) throw new Error("the object was reset");
      return admission(statuses.current);
    });
    return found?.status ?? null;
  };
  return { state, statuses, cache, find };
}

describe("the cache of tenants", () => {
  test("asks once in 30 seconds, so a suspension is known within them", async () => {
    const { state, statuses, find } = setUp();
    const seen = [await find()];
    statuses.current = "suspended";

    for (const step of [29_999, 1]) {
      state.nowMs += step;
      seen.push(await find());
    }

    expect([seen, state.asked]).toEqual([["active", "active", "suspended"], 2]);
  });

  test("while the object cannot be reached it says what was last heard, and nothing of a stranger", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { state, statuses, find } = setUp();
    statuses.current = "suspended";
    await find();
    state.isLost = true;
    state.nowMs += 3_600_000;

    expect([await find(), await find("ten_2")]).toEqual(["suspended", null]);
    warn.mockRestore();
  });

  test("forgets a tenant that was changed here, and the one that it has known longest when it is full", async () => {
    const { state, cache, find } = setUp(2);
    for (const id of ["ten_1", "ten_2", "ten_3", "ten_3", "ten_1"]) await find(id);
    cache.forget("ten_1");
    await find("ten_1");

    expect(state.asked).toBe(5);
  });
});
