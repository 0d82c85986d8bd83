// The recorded result that stands for a call of a replay, and the changes between two lists of calls.
import { describe, expect, test } from "vitest";

import { compareCalls } from "../../../agent/replay/compare-calls.ts";
import { recordedCalls, type RecordedCall } from "../../../agent/replay/recorded-calls.ts";
import { Recording } from "../../../agent/replay/recording.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { stampEvent } from "../../../durable-objects/log/event-stamp.ts";
import type { EventDraft } from "../../../protocol/events.ts";

const AT = "2026-01-01T00:00:00.000Z";

function block(type: "tool_call" | "tool_result", id: string, more: object): ContentBlock {
  const base = { type, id, name: "look_up", created_at: AT, finished_at: AT };
  return (
    type === "tool_call"
      ? { ...base, input: "{}", state: "finished", suggested_rules: [], ...more }
      : { ...base, output: "", state: "success", metadata: {}, ...more }
  ) as ContentBlock;
}

function recorded(id: string, input: string, more: Partial<RecordedCall> = {}): RecordedCall {
  return {
    reply_id: "rep_1",
    id,
    name: "look_up",
    input,
    run_input: input,
    was_asked: false,
    answer: null,
    result: block("tool_result", id, { output: id }) as RecordedCall["result"],
    has_run: true,
    ...more,
  };
}

describe("a recorded result", () => {
  test("is one of the same reply first, then the first unused one, then the last one again", () => {
    const recording = new Recording([
      recorded("a", '{"x":1}'),
      recorded("b", '{"x":1}', { reply_id: "rep_2" }),
      recorded("c", '{"x":1}', { reply_id: "rep_3" }),
    ]);
    const take = (reply_id: string) => {
      const found = recording.takeResult({ reply_id, name: "look_up", input: { x: 1 } });
      return [found?.call.id, found?.isRepeated];
    };

    expect([take("rep_2"), take("rep_2"), take("rep_2"), take("rep_2"), take("rep_1")]).toEqual([
      ["b", false],
      ["a", false],
      ["c", false],
      ["c", true],
      ["c", true],
    ]);
  });

  test("is found whatever the order of members and the notation of numbers, and by nothing else", () => {
    const recording = new Recording([
      recorded("a", '{"x":1.0,"y":["ä",null]}'),
      recorded("never", "not json ]["),
      recorded("refused", '{"z":1}', { has_run: false }),
    ]);
    const find = (name: string, input: unknown) =>
      recording.takeResult({ reply_id: "rep_1", name, input })?.call.id ?? null;

    expect([
      find("look_up", { y: ["ä", null], x: 1 }),
      find("refund", { y: ["ä", null], x: 1 }),
      find("look_up", { y: [null, "ä"], x: 1 }),
      find("look_up", { x: 1 }),
      find("look_up", { z: 1 }),
      find("look_up", { __proto__: null, toString: 1 }),
    ]).toEqual(["a", null, null, null, null, null]);
  });
});

describe("the calls of a record", () => {
  const log = (...drafts: EventDraft[]) =>
    drafts.map((draft, index) => stampEvent(draft, index + 1, AT));
  const message = AssistantMsg(
    "agent",
    [
      block("tool_call", "c1", { input: '{"x":2}' }),
      block("tool_result", "c1", { output: "ran" }),
      block("tool_call", "c2", {}),
      block("tool_result", "c2", { state: "error", output: "There is no tool named look_up." }),
      block("tool_call", "c3", {}),
      block("tool_result", "c3", { state: "interrupted" }),
      block("tool_call", "c4", {}),
    ],
    { id: "rep_1" },
  );

  test("have what was asked, what was answered, and whether they ran", () => {
    const call = { ...block("tool_call", "c1", { input: '{"x":1}' }), state: "asking" } as never;
    const edited = { ...block("tool_call", "c1", { input: '{"x":2}' }) } as never;
    const allowed = { decision: { behavior: "allow", reason: null, rule: null } };
    const events = log(
      { type: "REQUIRE_USER_CONFIRM", reply_id: "rep_1", tool_calls: [call] },
      {
        type: "USER_CONFIRM_RESULT",
        reply_id: "rep_1",
        confirm_results: [{ confirmed: true, tool_call: edited, rules: null }],
      },
      {
        type: "TOOL_RESULT_START",
        reply_id: "rep_1",
        tool_call_id: "c3",
        tool_call_name: "look_up",
        metadata: allowed,
      },
    );

    const found = recordedCalls(message, events);

    expect(found.map(({ id, was_asked, has_run }) => [id, was_asked, has_run])).toEqual([
      ["c1", true, true],
      // Refused by the platform, interrupted, and without a result.
      ["c2", false, false],
      ["c3", false, false],
      ["c4", false, false],
    ]);
    expect(found[0]).toMatchObject({
      input: '{"x":1}',
      run_input: '{"x":2}',
      answer: { confirmed: true, input: '{"x":2}', rules: [], reason: null },
    });
  });
});

describe("a comparison", () => {
  const outcome = { sources: new Map(), allowed: new Set<string>(), questions: new Map() };

  function compare(before: readonly RecordedCall[], made: readonly (readonly [string, string])[]) {
    const content = made.map(([name, input], index) =>
      block("tool_call", `m${index}`, { name, input }),
    );
    const message = AssistantMsg("agent", content, { id: "rep_9" });
    return compareCalls(before, message, new Map(), outcome).map(
      ({ change, tool_call_id, recorded_tool_call_id }) => [
        change,
        tool_call_id,
        recorded_tool_call_id,
      ],
    );
  }

  test("pairs each call once: equal ones first, then those of the same tool", () => {
    const before = [recorded("a", '{"x":1}'), recorded("b", '{"x":2}'), recorded("c", '{"x":2}')];

    expect(
      compare(before, [
        ["look_up", '{"x":3}'],
        ["look_up", '{ "x": 2 }'],
        ["refund", '{"x":2}'],
      ]),
    ).toEqual([
      ["changed", "m0", "a"],
      ["same", "m1", "b"],
      ["new", "m2", null],
      ["gone", null, "c"],
    ]);
  });

  test("takes inputs that are no JSON for equal when their texts are", () => {
    const broken = "x".repeat(300_000);
    expect(compare([recorded("a", broken)], [["look_up", broken]])).toEqual([["same", "m0", "a"]]);
  });

  test("shows long inputs cut, and never half a character", () => {
    const long = JSON.stringify({ x: "😀".repeat(2_000) });
    const message = AssistantMsg("agent", [block("tool_call", "m0", { input: long })], { id: "r" });

    const [shown] = compareCalls([], message, new Map(), outcome);

    expect(shown?.input?.length).toBeLessThanOrEqual(2_001);
    expect(shown?.input?.isWellFormed()).toBe(true);
    expect(shown?.answered).toBe("not_answered");
  });
});
