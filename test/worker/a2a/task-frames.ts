// Shared parts of the tests of tasks' streams: their frames, read to the end.
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { A2aStreamResponse, A2aTask } from "../../../protocol/a2a/wire.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import { valueOf, openStream, readReply, stubOf } from "../sessions/session.ts";

export interface TaskFrame {
  readonly id: string | null;
  readonly response: A2aStreamResponse;
}

/** @param after Left out for a reader that has nothing. */
export function openTask(init: SessionInit, replyId: string, after?: string | number) {
  const position = after === undefined ? "" : `&after=${after}`;
  return openStream(init, `format=a2a&reply_id=${replyId}${position}`);
}

/** The frames of a stream until `isEnough` holds, or to its end. */
export async function framesOf(
  response: Response,
  isEnough: (frames: readonly TaskFrame[]) => boolean = () => false,
): Promise<TaskFrame[]> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const decoder = createSseDecoder();
  const frames: TaskFrame[] = [];
  const body = response.body ?? new ReadableStream<Uint8Array>();
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    for (const { id, data } of decoder.push(chunk)) {
      frames.push({ id, response: JSON.parse(data) as A2aStreamResponse });
    }
    if (isEnough(frames)) break;
  }
  return frames;
}

export async function readTaskFrames(
  init: SessionInit,
  replyId: string,
  after?: string | number,
): Promise<TaskFrame[]> {
  return framesOf(await openTask(init, replyId, after));
}

/** The states that the frames tell, each once while it stays the same. */
export function statesOf(frames: readonly TaskFrame[]): string[] {
  const states = frames.flatMap(({ response: { task, statusUpdate } }) => {
    const status = (task ?? statusUpdate)?.status;
    return status ? [status.state.replace("TASK_STATE_", "")] : [];
  });
  return states.filter((state, index) => state !== states[index - 1]);
}

/** Begins a task. @returns the id of its reply, once that has ended or waits. */
export async function runTask(init: SessionInit, input: string): Promise<string> {
  const a2a = { context_id: init.session_id, message_id: crypto.randomUUID() };
  const { id } = valueOf(await stubOf(init).act("startReply", { input, on_busy: "reject", a2a }));
  await readReply(init, id, 60_000);
  return id;
}

export async function readTask(
  init: SessionInit,
  reply_id: string,
  more: object = {},
): Promise<A2aTask> {
  return valueOf(await stubOf(init).act("a2aTask", { reply_id, ...more }));
}
