// The activities that a reader of AG-UI keeps for those who join: by their number, and by their size together.
import { describe, expect, it } from "vitest";

import type { EventOf } from "../../../protocol/events.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import { TOLD_ACTIVITIES } from "../../../protocol/dialects/ag-ui/told-activities.ts";

const CHANGE_CHARACTERS = 16_000;

function told(name: string, message_id: string, value: object): EventOf<"CUSTOM"> {
  return {
    type: "CUSTOM",
    name,
    value: { message_id, activity_type: "SEARCH", ...value },
    metadata: { told_by: { kind: "tenant" } },
  } as unknown as EventOf<"CUSTOM">;
}

const snapshotOf = (id: string) => told("activity_snapshot", id, { content: {}, replace: true });
const LARGE = [{ op: "add", path: "/a", value: "a".repeat(CHANGE_CHARACTERS) }];
const changeOf = (id: string) => told("activity_delta", id, { patch: LARGE });

function shownAfter(events: readonly EventOf<"CUSTOM">[]) {
  return events.reduce(
    (shown, event) => TOLD_ACTIVITIES.change(shown, event)?.shown ?? shown,
    TOLD_ACTIVITIES.initial,
  );
}

describe("the changes that a reader keeps", () => {
  it("take a megabyte together at most, whatever the number of activities", () => {
    const ids = Array.from({ length: 64 }, (_, index) => `search-${index}`);
    const flood = ids.flatMap((id) => [snapshotOf(id), changeOf(id), changeOf(id), changeOf(id)]);

    const shown = JSON.stringify(TOLD_ACTIVITIES.show(shownAfter(flood)));

    expect(shown.length).toBeGreaterThan(900_000);
    expect(shown.length).toBeLessThan(1_100_000);
  });

  it("go on behind the next snapshot, which takes the place of those before it", () => {
    const full = Array.from({ length: 100 }, () => changeOf("a"));
    const before = shownAfter([snapshotOf("a"), ...full]);
    const after = shownAfter([snapshotOf("a"), ...full, snapshotOf("a"), changeOf("a")]);

    expect(TOLD_ACTIVITIES.change(before, changeOf("a"))?.events).toEqual([]);
    expect(TOLD_ACTIVITIES.show(after)).toHaveLength(2);
  });
});

function called(id: string): object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: "f" },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

describe("what is told while a reader does not know yet whether a reply waits", () => {
  it("is held up to a megabyte", () => {
    const flood = Array.from({ length: 200 }, () => ({
      type: "CUSTOM",
      name: "scanned",
      value: { text: "a".repeat(CHANGE_CHARACTERS) },
      metadata: { told_by: { kind: "tenant" } },
      reply_id: undefined,
    }));
    const log = agUiLog(
      { type: "REPLY_START", session_id: "ses_1", name: "A" },
      ...called("a"),
      ...called("b"),
      {
        type: "REQUIRE_USER_CONFIRM",
        tool_calls: [{ type: "tool_call", id: "a", name: "f", input: "{}" }],
      },
      ...flood,
      {
        type: "TOOL_RESULT_START",
        tool_call_id: "b",
        tool_call_name: "f",
        metadata: { decision: {} },
      },
    );
    const translator = sessionTranslator(log);

    const frames = log.flatMap((event) => translator.push(event));
    const told = frames.filter(
      ({ event }) => event.type === "CUSTOM" && event["name"] === "scanned",
    );

    expect(told.length).toBeGreaterThan(50);
    expect(told.length).toBeLessThan(70);
  });
});
