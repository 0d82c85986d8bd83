// The frames with which a task's stream begins, and their bounds.
import { describe, expect, it } from "vitest";

import type { A2aStreamResponse, A2aTask } from "../../../protocol/a2a/wire.ts";
import { A2aTranslator } from "../../../protocol/dialects/a2a/a2a-translator.ts";
import { taskFrames } from "../../../protocol/dialects/a2a/task-frames.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";
import { foldTask, shownTask } from "../../support/a2a/fold-task.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";

/** The SDK's client refuses a larger one. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const PLACE = { seq: 9, k: 2 };
const SEQ = { "urn:reprise:a2a:replies:v1": { seq: "9.2" } };

function taskOf(...texts: readonly string[]): A2aTask {
  const artifacts = texts.map((text, index) => ({ artifactId: `blk_${index}`, parts: [{ text }] }));
  return { id: "rep_1", contextId: "ctx", status: { state: "TASK_STATE_WORKING" }, artifacts };
}

function held(frames: readonly A2aStreamResponse[]): object {
  const task = frames.reduce<A2aTask | null>(foldTask, null);
  return shownTask(task!);
}

function bytesOf(frames: readonly A2aStreamResponse[]): number {
  return Math.max(...frames.map((frame) => utf8Bytes(JSON.stringify(frame))));
}

describe("the frames of a task", () => {
  it("are one with its position where it is small", () => {
    const task = taskOf("Hello");
    const message = { messageId: "msg_1", role: "ROLE_USER", parts: [{ text: "Hi" }] } as const;
    const whole = { ...task, history: [message] };
    expect(taskFrames({ task: whole, place: PLACE, isOpen: () => false })).toEqual([
      { task: { ...whole, metadata: SEQ } },
    ]);
    expect(taskFrames({ task, place: null, isOpen: () => false })).toEqual([{ task }]);
  });

  it("are several where it is large, of which the last one says the position", () => {
    const task = taskOf("Hello", "€".repeat(1_300_000), "Bye");
    const frames = taskFrames({ task, place: PLACE, isOpen: (id) => id === "blk_2" });
    const metadata = frames.map(
      ({ task: first, artifactUpdate }) => (first ?? artifactUpdate)?.metadata,
    );
    expect(metadata).toEqual([...frames.slice(1).map(() => undefined), SEQ]);
    expect(bytesOf(frames)).toBeLessThan(MAX_FRAME_BYTES);
    expect(held(frames)).toEqual(shownTask(task));
    const last = frames.filter(({ artifactUpdate }) => artifactUpdate?.lastChunk === true);
    expect(last.map(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId)).toEqual([
      "blk_1",
    ]);
  });

  it.each(["\u0000", "€", "👋", '"', "x"])("are below 4 MiB with text of %j", (character) => {
    const text = character.repeat(1_500_000);
    const frames = taskFrames({ task: taskOf(text, text), place: PLACE, isOpen: () => true });
    expect(bytesOf(frames)).toBeLessThan(MAX_FRAME_BYTES);
    expect(held(frames)).toEqual(shownTask(taskOf(text, text)));
    const pieces = frames.map(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text);
    expect(pieces.filter((piece) => piece?.isWellFormed() === false)).toEqual([]);
  });

  it("are below 4 MiB with a long history and a long question beside them", () => {
    const parts = [{ text: "€".repeat(250_000) }];
    const history = [1, 2].map((index) => {
      return { messageId: `msg_${index}`, role: "ROLE_USER" as const, parts };
    });
    const message = { messageId: "ask", role: "ROLE_AGENT" as const, parts: [...parts, ...parts] };
    const status = { state: "TASK_STATE_INPUT_REQUIRED", message } as const;
    const task = { ...taskOf("€".repeat(250_000), "Bye"), history, status };
    const frames = taskFrames({ task, place: PLACE, isOpen: () => false });
    expect(bytesOf(frames)).toBeLessThan(MAX_FRAME_BYTES);
    expect(held(frames)).toEqual(shownTask(task));
  });

  it("leave out the oldest messages of a long history", () => {
    const history = [1, 2, 3].map((index) => ({
      messageId: `msg_${index}`,
      role: "ROLE_USER" as const,
      parts: [{ text: "x".repeat(250_000) }],
    }));
    const task = { ...taskOf("Hello"), history };
    const [first] = taskFrames({ task, place: PLACE, isOpen: () => false });
    expect(first?.task?.history).toEqual(history.slice(1));
  });
});

describe("an update", () => {
  it("is cut where an end says more than a frame may have", () => {
    const translator = new A2aTranslator({ task_id: "rep_1", context_id: "ctx" });
    const text = "\u0000".repeat(1_000_000);
    const log = agUiLog(
      { type: "REPLY_START", session_id: "ses_1", name: "Desk" },
      { type: "TEXT_BLOCK_START", block_id: "blk_0" },
      { type: "TEXT_BLOCK_END", block_id: "blk_0", text },
    );
    const task = translator.task();
    const frames = log.flatMap((event) => translator.push(event));
    const responses = frames.map(({ response }) => response);
    expect(bytesOf(responses)).toBeLessThan(MAX_FRAME_BYTES);
    expect(held([{ task }, ...responses])).toEqual(shownTask(translator.task()));
    expect(frames.slice(1).map(({ seq, k }) => `${seq}.${k}`)).toEqual(
      frames.slice(1).map((_, index) => `3.${index + 1}`),
    );
  });

  it("says that an output is too large for any message", () => {
    const translator = new A2aTranslator({ task_id: "rep_1", context_id: "ctx" });
    const value = { reply_id: "rep_1", output: { text: "x".repeat(1_300_000) } };
    const log = agUiLog(
      { type: "REPLY_START", session_id: "ses_1", name: "Desk" },
      { type: "CUSTOM", name: "structured_output", value },
    );
    const responses = log.flatMap((event) => translator.push(event)).map((one) => one.response);
    const parts = [{ text: "[This output is too large for a message of A2A.]" }];
    expect(responses[1]?.artifactUpdate?.artifact).toEqual({
      artifactId: "structured_output",
      parts,
    });
  });
});
