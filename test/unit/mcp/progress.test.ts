// Progress that a tool of an MCP server reports while it works: events of the log, and no part of what the model reads.
import { expect, it, onTestFinished } from "vitest";

import { closeReply } from "../../../agent/state/close-reply.ts";
import { recoveryEvents } from "../../../agent/recovery/recovery.ts";
import { awaitTask } from "../../../agent/tool-call/await-task.ts";
import { MCP_PROGRESS_BURST, MCP_PROGRESS_PAUSE_MS } from "../../../protocol/mcp/limits.ts";
import { ProgressPace } from "../../../tools/mcp/progress-pace.ts";
import { openStream, startRawServer, type RawMethod } from "../../support/mcp/raw-server.ts";
import { callInLog, resultText, startedCall, testLink } from "../../support/mcp/test-link.ts";
import { MemoryLog } from "../../support/memory-log.ts";

const TARGET = { reply_id: "rep_1", tool_call_id: "call_1" };

/** A server whose call says this of its progress, and then gives a result, or ends its stream without one. */
async function open(said: readonly object[], end: "result" | "cut") {
  const call: RawMethod = ({ id, params }, response) => {
    const send = openStream(response);
    const progressToken = params?._meta?.progressToken;
    for (const one of said)
      send({ method: "notifications/progress", params: { progressToken, ...one } });
    if (end === "result") send({ id, result: { content: [{ type: "text", text: "done" }] } });
    response.end();
    return undefined;
  };
  const mcp = await startRawServer({ "tools/call": call });
  onTestFinished(() => mcp.stop());
  return testLink(mcp.url);
}

function progressOf({ events }: MemoryLog) {
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "tool_progress" ? [event.value] : [],
  );
}

it.each([
  ["a line", { progress: 1, message: "shelf 1" }, { message: "shelf 1", progress: 1, total: null }],
  ["a number", { progress: 1, total: 4 }, { message: null, progress: 1, total: 4 }],
  ["several lines", { message: "a\nb" }, { message: "a b", progress: null, total: null }],
  ["nothing", {}, null],
  ["members of other types", { progress: "2", message: 7, total: {} }, null],
] as const)("%s is an event, and the result is the tool's alone", async (_, said, expected) => {
  const log = await callInLog(await open([said], "result"));

  expect(progressOf(log)).toEqual(expected ? [{ ...TARGET, ...expected }] : []);
  expect(resultText(log)).toBe("done");
  expect(log.state.progress.size).toBe(0);
});

it("a call that ends without a result gives the model the last 2,000 characters of it", async () => {
  const said = Array.from({ length: 1_500 }, (_, at) => ({
    message: `line ${at} ${"x".repeat(9)}`,
  }));
  const log = await callInLog(await open(said, "cut"));

  const whole = said.map(({ message }) => message).join("\n");
  expect(resultText(log)).toBe(
    `The MCP server wh closed its stream before it had answered.\n\nIts progress until then:\n${whole.slice(-2_000)}`,
  );
  // At first as they come; then some in one, however fast they are said.
  const told = progressOf(log);
  expect(told.length).toBeGreaterThanOrEqual(MCP_PROGRESS_BURST + 1);
  expect(told.length).toBeLessThan(100);
  expect(Math.max(...told.map(({ message }) => String(message).length))).toBeLessThanOrEqual(2_000);
});

it("a failure of a call that has said nothing is the reason alone", async () => {
  const log = await callInLog(await open([], "cut"));

  expect(resultText(log)).toBe("The MCP server wh closed its stream before it had answered.");
});

function saying(message: string, log = startedCall()): MemoryLog {
  const value = { ...TARGET, message, progress: null, total: null };
  log.append([{ type: "CUSTOM", name: "tool_progress", reply_id: "rep_1", value }]);
  return log;
}

it("an interrupt and a lost machine leave the model what was said, also to a log that is read again", () => {
  const log = MemoryLog.reopen(saying("half of it"));
  const closing = { session_id: "ses_1", finished_reason: "interrupted" } as const;
  const texts = [closeReply(log.state, closing), recoveryEvents(log.state)].map((events) =>
    events.flatMap((event) => (event.type === "TOOL_RESULT_TEXT_DELTA" ? [event.delta] : [])),
  );

  expect(texts).toEqual([
    [expect.stringMatching(/outcome is unknown.*\n\nIts progress until then:\nhalf of it$/)],
    [expect.stringMatching(/Find out before.*\n\nIts progress until then:\nhalf of it$/)],
  ]);
  expect(log.state.message.content.at(-1)).toMatchObject({ type: "tool_result", output: [] });
  expect(log.state.characters).toBe(startedCall().state.characters);
});

it("what a log of before has as text of its result stays that", () => {
  const log = startedCall();
  log.append([{ type: "TOOL_RESULT_TEXT_DELTA", ...TARGET, delta: "1 of 2: shelf 1\n" }]);

  expect(resultText(MemoryLog.reopen(log))).toBe("1 of 2: shelf 1\n");
});

it("a task says the same in the same way, and once", () => {
  const log = startedCall();
  const task = { server: "wh", status: "working", message: "half", expires_at: "" } as const;
  log.append(awaitTask(log.state, { id: "call_1" }, task));
  log.append(awaitTask(log.state, { id: "call_1" }, task));

  expect(progressOf(log)).toEqual([{ ...TARGET, message: "half", progress: null, total: null }]);
  expect(resultText(log)).toBe("");
});

it("is told at once at first, and then once in a second with all that was said", () => {
  let nowMs = 1_000_000;
  const pace = new ProgressPace(() => nowMs);
  const say = (message: string) => pace.take({ message, progress: null, total: null })?.message;
  const first = Array.from({ length: MCP_PROGRESS_BURST }, (_, at) => say(`${at}`));
  const held = [say("a"), say("b")];
  nowMs += MCP_PROGRESS_PAUSE_MS;
  const next = say("c");
  const late = say("d");
  // A clock that was set back holds nothing up.
  nowMs -= 3_600_000;

  expect(first).toEqual(first.map((_, at) => `${at}`));
  expect([held, next, late]).toEqual([[undefined, undefined], "a\nb\nc", undefined]);
  expect(say("e")).toBe("d\ne");
  expect(pace.takeLast()).toBeNull();
});
