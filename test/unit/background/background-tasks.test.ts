// The state of an agent's background tasks, and the message with which an end begins a reply.
import { expect, test } from "vitest";

import { BACKGROUND } from "../../../agent/background/background-ability.ts";
import { BACKGROUND_FOLD } from "../../../agent/background/background-state.ts";
import { failedOutcome, OutcomeWriter, taskHint } from "../../../agent/background/task-outcome.ts";
import {
  advanceUntrusted,
  NO_UNTRUSTED_CONTENT,
  untrustedCallIds,
} from "../../../agent/permission/untrusted-content.ts";
import { MAX_TASK_TEXT_CHARACTERS } from "../../../protocol/background/limits.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";

const NOW = "2026-11-30T07:00:00.000Z";
const OF = { reply_id: "rep_1", tool_call_id: "call_1", tool_name: "report" };

function custom(name: string, value: object): LoggedEvent {
  return { type: "CUSTOM", name, value, id: "evt_1", seq: 1, created_at: NOW } as LoggedEvent;
}

const started = (task_id: string) =>
  custom("background_task_started", { task_id, ...OF, waits_for: "request", expires_at: NOW });
const ended = (task_id: string, stopped_by: string | null) =>
  custom("background_task_ended", { task_id, ...OF, status: "cancelled", stopped_by });

function stateAfter(...events: readonly LoggedEvent[]) {
  return events.reduce(
    (state, event) => BACKGROUND_FOLD.advance(state, event),
    BACKGROUND_FOLD.initial,
  );
}

test("tasks that work are known until they end, and those that people stop until the model is told", () => {
  const [one, two] = [started("task_1"), started("task_2")];
  const stopped = stateAfter(one, two, ended("task_1", "person"));
  const hint = { type: "HINT_BLOCK", source: "background_tasks", hint: "…" };

  expect(stopped).toEqual({
    working: [{ task_id: "task_2", ...OF }],
    stopped: [{ task_id: "task_1", ...OF }],
  });
  expect(BACKGROUND_FOLD.advance(stopped, hint as unknown as LoggedEvent).stopped).toEqual([]);
  expect(stateAfter(one, ended("task_1", "agent")).stopped).toEqual([]);
  expect(stateAfter(one, ended("task_1", null))).toEqual({ working: [], stopped: [] });
  expect(BACKGROUND_FOLD.adopt?.(stopped)).toBe(null);
});

const TASK = { task_id: "task_1", ...OF, untrusted: null };
const ID = { id: "msg_1", now: NOW };

test("an agent whose calls are let go has ToolStop, and not where another agent has called it", () => {
  const tool = { type: "http", name: "report", background_after_ms: 1_000 };
  const toolsOf = (isCalled: boolean) => {
    const session = { agent: { tools: [tool] }, isCalled, stateOf: () => BACKGROUND_FOLD.initial };
    const { tools } = BACKGROUND.open(session as never);
    return tools?.kind === "log" ? tools.declare().map(({ name }) => name) : null;
  };

  expect([toolsOf(false), toolsOf(true)]).toEqual([["ToolStop"], []]);
});

test("texts that follow each other are one, and media stays between them", () => {
  const writer = new OutcomeWriter();
  writer.add({ type: "text", delta: "a" });
  writer.add({ type: "text", delta: "b" });
  writer.add({ type: "url", url: "https://x.example/p.png", media_type: "image/png" });
  writer.add({ type: "text", delta: "c" });
  const message = taskHint(TASK, writer.end({ state: "success" }), ID);
  const [block] = message.content;
  const parts = block?.type === "hint" && typeof block.hint !== "string" ? block.hint : [];

  expect(parts.map((part) => (part.type === "text" ? part.text : part.source))).toEqual([
    "The background task task_1 of the tool report has ended. Its result:\nab",
    { type: "url", url: "https://x.example/p.png", media_type: "image/png" },
    "c",
  ]);
  expect(taskHint(TASK, writer.end({ state: "success" }), ID)).toEqual(message);
});

test("a result without output and one that failed say so", () => {
  const nothing = taskHint(TASK, { state: "success", parts: [] }, ID);
  const failed = taskHint(TASK, failedOutcome("No paper."), ID);
  const textOf = ({ content: [block] }: typeof failed) => block?.type === "hint" && block.hint;

  expect([textOf(nothing), textOf(failed)]).toEqual([
    "The background task task_1 of the tool report has ended. It has no output.",
    "The background task task_1 of the tool report has failed. Its result:\nNo paper.",
  ]);
});

test("the middle of a long text is left out, whatever pieces it comes in", () => {
  const long = "x".repeat(MAX_TASK_TEXT_CHARACTERS * 2);
  const parts = [
    { type: "text", text: long },
    { type: "text", text: long },
  ] as const;
  const message = taskHint(TASK, { state: "success", parts }, ID);

  expect(JSON.stringify(message).length).toBeLessThan(MAX_TASK_TEXT_CHARACTERS + 2_000);
  expect(JSON.stringify(message)).toContain("<<<TRUNCATED>>>");
});

test("an end that is not trusted counts as an untrusted result under its task", () => {
  const source = { tool_name: "report", tool_call_id: "call_1" };
  const message = taskHint({ ...TASK, untrusted: source }, failedOutcome("x"), ID);
  const after = advanceUntrusted(NO_UNTRUSTED_CONTENT, custom("message_added", { message }));
  const trusted = taskHint(TASK, failedOutcome("x"), ID);

  expect(after.results).toEqual([{ tool_call_id: "task_1", source, place: "new" }]);
  expect(untrustedCallIds([message, trusted])).toEqual(["task_1"]);
  expect(
    advanceUntrusted(NO_UNTRUSTED_CONTENT, custom("message_added", { message: trusted })),
  ).toBe(NO_UNTRUSTED_CONTENT);
});
