// Calls that wait for tasks of servers, or of other systems' agents, beside calls that ask: a run ends with the question, whatever
// the tasks do.
import { expect, test } from "vitest";

import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import { allows, asks, called, results, runs } from "../../support/called-log.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };

function task(id: string, waits: boolean, message: string | null = null): object {
  const value = {
    reply_id: "rep_1",
    tool_call_id: id,
    server: "Agent",
    status: waits ? "working" : "completed",
    message,
    expires_at: "2026-01-01T01:00:00.000Z",
    waits,
  };
  return { type: "CUSTOM", name: "mcp_task", value };
}

function progress(id: string, message: string): object {
  const value = { reply_id: "rep_1", tool_call_id: id, message, progress: null, total: null };
  return { type: "CUSTOM", name: "tool_progress", value };
}

const BOTH = [START, ...called("c1", "act"), ...called("c2"), runs("c1", "act")];

/** Events that begin and end runs, with the calls that are asked about. */
function runsOf(events: readonly object[]): readonly unknown[] {
  const translator = sessionTranslator(agUiLog(...events), { profile: "1.0" });
  const frames = agUiLog(...events).flatMap((event) => translator.push(event));
  return [...frames, ...translator.flush()].flatMap(({ event }): readonly unknown[] => {
    if (event.type === "RUN_STARTED") return ["started"];
    if (event.type !== "RUN_FINISHED") return [];
    const { outcome } = event;
    return outcome?.type === "interrupt"
      ? [outcome.interrupts.map(({ toolCallId }) => toolCallId)]
      : [outcome?.type];
  });
}

test.each([
  ["the question first", [asks("c2"), task("c1", true)]],
  ["the task first", [task("c1", true), asks("c2")]],
])("a run ends with the question, %s", (_, events) => {
  expect(runsOf([...BOTH, ...events])).toEqual(["started", ["c2"]]);
});

test("what becomes of the task begins no run before it is done, and the question is asked again then", () => {
  const parked = [...BOTH, task("c1", true), asks("c2")];
  const news = [progress("c1", "Half"), task("c1", true, "Half")];
  const done = [task("c1", false), ...results("c1", "All of it.")];

  expect(runsOf([...parked, ...news])).toEqual(["started", ["c2"]]);
  expect(runsOf([...parked, ...news, ...done])).toEqual(["started", ["c2"], "started", ["c2"]]);
});

test("an answer is followed by the run in which the task goes on, to its end", () => {
  const answered = [allows("c2"), runs("c2"), ...results("c2", "paid")];
  const done = [task("c1", false), ...results("c1", "All of it."), END];

  expect(runsOf([...BOTH, task("c1", true), asks("c2"), ...answered, ...done])).toEqual([
    "started",
    ["c2"],
    "started",
    "success",
  ]);
});

test("a task alone ends no run", () => {
  const alone = [START, ...called("c1", "act"), runs("c1", "act"), task("c1", true)];

  expect(runsOf(alone)).toEqual(["started"]);
});
