// The sum of the answers of hooks: which of them ends the reply, and which calls do not run.
import { describe, expect, it } from "vitest";

import {
  advanceHooks,
  isCallShown,
  NO_HOOKS,
  type HookRecord,
} from "../../../agent/state/hook-record.ts";
import { HOOK_POINTS } from "../../../protocol/hooks/events.ts";

type Fields = Readonly<Record<string, unknown>>;

let ids = 0;
function answer(point: string, outcome: string, more: Fields = {}): Fields {
  return { id: `q${(ids += 1)}`, hook: "desk", point, step: "c1", outcome, ...more };
}

function recordOf(...answers: readonly Fields[]): HookRecord {
  return answers.reduce<HookRecord>(advanceHooks, NO_HOOKS);
}

function failed(on_failure: string): Fields {
  return answer("pre_acting", "failed", { failure: { kind: "timeout", on_failure } });
}

describe("the verdict about a call", () => {
  it("is of a hook before it alone: what was blocked behind it has run", () => {
    for (const point of HOOK_POINTS) {
      const blocked = answer(point, "blocked");
      const asked = answer(point, "asked", { asks: true });
      const isBefore = point === "pre_acting";

      expect([...recordOf(blocked).verdicts]).toEqual(isBefore ? [["c1", blocked]] : []);
      expect([...recordOf(asked).verdicts]).toEqual(isBefore ? [["c1", asked]] : []);
    }
  });

  it("is a question, unless a hook has denied it, before or after", () => {
    const asked = answer("pre_acting", "asked", { asks: true });
    const changed = answer("pre_acting", "changed", { asks: true });
    const blocked = answer("pre_acting", "blocked");
    const verdictOf = (...answers: readonly Fields[]) => recordOf(...answers).verdicts.get("c1");

    expect(verdictOf(asked, changed)).toBe(changed);
    expect(verdictOf(asked, blocked)).toBe(blocked);
    expect(verdictOf(blocked, asked)).toBe(blocked);
  });

  it("is none where nothing was asked or denied", () => {
    const answers = [
      answer("pre_acting", "unchanged"),
      answer("pre_acting", "changed"),
      failed("open"),
      answer("pre_acting", "blocked", { step: null }),
    ];

    expect(recordOf(...answers).verdicts.size).toBe(0);
  });
});

describe("the end of a reply", () => {
  it("is the first answer that ends it", () => {
    const stopped = answer("post_acting", "stopped");

    expect(recordOf(answer("pre_reply", "unchanged"), stopped, failed("closed")).end).toBe(stopped);
  });

  it.each([
    [answer("pre_reply", "blocked"), true],
    [answer("post_acting", "blocked"), false],
    [answer("pre_acting", "blocked"), false],
    [failed("closed"), true],
    [failed("open"), false],
    [answer("pre_acting", "unchanged", { failure: { kind: "x", on_failure: "closed" } }), false],
  ])("by %o: %s", (given, isEnd) => {
    expect(recordOf(given).end).toBe(isEnd ? given : null);
  });
});

it("an answer that is not ours changes nothing, and each of ours is known by its id", () => {
  const one = answer("pre_acting", "unchanged");
  const record = recordOf(one);

  expect(advanceHooks(record, { ...one, id: 7 })).toBe(record);
  expect(advanceHooks(record, { id: "q", outcome: null })).toBe(record);
  expect([...record.answers]).toEqual([[one["id"], one]]);
  expect([
    isCallShown(record, "c1"),
    isCallShown(record, "c2"),
    isCallShown(recordOf(answer("post_acting", "unchanged")), "c1"),
  ]).toEqual([true, false, false]);
});
