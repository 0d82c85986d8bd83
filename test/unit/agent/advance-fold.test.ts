// The state of an ability as a fold of the log, and its snapshots.
import { describe, expect, it } from "vitest";

import type { AbilityFold } from "../../../agent/ability.ts";
import { SHARED_STATE_FOLD } from "../../../agent/shared-state/shared-state-fold.ts";
import { advanceFold, readsType } from "../../../agent/advance-fold.ts";
import type { EventDraft, LoggedEvent } from "../../../protocol/events.ts";
import { stampEvent } from "../../../durable-objects/log/event-stamp.ts";

function custom(name: string, value: Record<string, unknown>): LoggedEvent {
  const draft: EventDraft = { type: "CUSTOM", name, value };
  return stampEvent(draft, 1, "2026-01-01T00:00:00.000Z");
}

const ENDS: AbilityFold<number> = {
  name: "ends",
  initial: 0,
  reads: ["REPLY_END"],
  advance: (count) => count + 1,
};

describe("a fold", () => {
  it("reads the types that it names, and snapshots", () => {
    const types = ["REPLY_END", "CUSTOM", "TEXT_BLOCK_DELTA", "HINT_BLOCK"] as const;

    expect(types.map((type) => readsType(ENDS, type))).toEqual([true, true, false, false]);
  });

  it("takes its own snapshot in place of its state, and no other ability's", () => {
    const own = custom("ability_state", { ability: "ends", state: 7 });
    const other = custom("ability_state", { ability: "starts", state: 9 });
    const unreadable = custom("ability_state", { ability: 1 });

    expect([own, other, unreadable].map((event) => advanceFold(ENDS, 3, event))).toEqual([7, 3, 3]);
  });

  it("counts no event of a type that it does not read", () => {
    expect(advanceFold(ENDS, 3, custom("noted", {}))).toBe(3);
  });
});

describe("the shared state", () => {
  const { initial } = SHARED_STATE_FOLD;
  const change = (version: number, value: unknown) =>
    custom("shared_state_updated", { patch: [{ op: "add", path: "/a", value }], version });

  it("is what the patches of the log make of the one before", () => {
    const states = [change(1, 1), change(2, { b: 2 })].reduce(
      (state, event) => advanceFold(SHARED_STATE_FOLD, state, event),
      initial,
    );

    expect(states).toEqual({ state: { a: { b: 2 } }, version: 2 });
    expect(advanceFold(SHARED_STATE_FOLD, states, custom("noted", {}))).toBe(states);
  });

  it("goes to another session as its first version", () => {
    expect(SHARED_STATE_FOLD.adopt?.({ state: { a: 1 }, version: 9 })).toEqual({
      state: { a: 1 },
      version: 1,
    });
  });

  it.each([
    ["nothing", null],
    ["a state that was never changed", { state: {}, version: 0 }],
    ["a list", { state: [1], version: 1 }],
    ["text", "x"],
    ["a name that no member may have", { state: JSON.parse('{"__proto__":1}'), version: 1 }],
  ])("is not taken from %s", (_, given) => {
    expect(SHARED_STATE_FOLD.adopt?.(given)).toBeNull();
  });
});
