// Streams of A2A as a client reads them, over both bindings, and what their frames come to.
import type { A2aArtifact, A2aStreamResponse, A2aTask } from "../../../protocol/a2a/wire.ts";
import { openA2a, readA2a, type A2aBinding, type A2aDesk, type A2aOptions } from "./a2a-desk.ts";

export interface A2aFrame {
  /** For `Last-Event-ID`. */
  readonly id: string;
  readonly frame: A2aStreamResponse;
}

interface A2aStream {
  readonly status: number;
  readonly headers: Headers;
  /** Until the server ends it; a reader that leaves closes the connection. */
  readonly frames: AsyncGenerator<A2aFrame, void, undefined>;
}

/** @throws when the answer is no stream. */
export async function openA2aStream(
  desk: Pick<A2aDesk, "path" | "key">,
  binding: A2aBinding,
  method: "SendStreamingMessage" | "SubscribeToTask",
  params: Readonly<Record<string, unknown>>,
  options: A2aOptions = {},
): Promise<A2aStream> {
  const response = await openA2a(desk, binding, method, params, options);
  const { status, headers } = response;
  if (!headers.get("content-type")?.startsWith("text/event-stream")) {
    throw new Error(`no stream: ${status} ${await response.text()}`);
  }
  return { status, headers, frames: framesOf(binding, response) };
}

/** To its end. */
export async function readA2aStream(
  ...parameters: Parameters<typeof openA2aStream>
): Promise<readonly A2aFrame[]> {
  const { frames } = await openA2aStream(...parameters);
  return readAll(frames);
}

/** The rest of a stream, to its end. */
export async function readAll(frames: A2aStream["frames"]): Promise<readonly A2aFrame[]> {
  const all: A2aFrame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

async function* framesOf(
  binding: A2aBinding,
  response: Response,
): AsyncGenerator<A2aFrame, void, undefined> {
  let buffer = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (buffer + text).split("\n\n");
    buffer = parts.pop() ?? "";
    for (const part of parts) {
      const id = /^id: ([^\n]*)$/m.exec(part)?.[1] ?? "";
      const data = /^data: ([^\n]*)/m.exec(part)?.[1];
      if (data === undefined) continue;
      const { result, error } = readA2a<A2aStreamResponse>(binding, data);
      if (result === undefined) throw new Error(JSON.stringify(error));
      yield { id, frame: result };
    }
  }
}

/** The member that a frame has. */
export function kindOf({ frame }: A2aFrame): string {
  return Object.keys(frame).join();
}

/** The text of each artifact of a task, by its id. */
export function textsOf({ artifacts = [] }: Pick<A2aTask, "artifacts">): Record<string, string> {
  return Object.fromEntries(artifacts.map((artifact) => [artifact.artifactId, textOf(artifact)]));
}

function textOf({ parts }: Pick<A2aArtifact, "parts">): string {
  return parts.map(({ text, ...rest }) => text ?? JSON.stringify(rest)).join("");
}

/** The task that a client holds after these frames, as the specification has it: artifacts by their ids, appended or in place. */
export function foldFrames(frames: readonly A2aFrame[], before: Record<string, string> = {}) {
  const texts = new Map(Object.entries(before));
  let state: string | undefined;
  for (const { frame } of frames) {
    const { task, statusUpdate, artifactUpdate } = frame;
    for (const [id, text] of Object.entries(textsOf(task ?? {}))) texts.set(id, text);
    state = task?.status.state ?? statusUpdate?.status.state ?? state;
    if (artifactUpdate === undefined) continue;
    const { artifact, append = false } = artifactUpdate;
    const id = artifact.artifactId;
    texts.set(id, (append ? (texts.get(id) ?? "") : "") + textOf(artifact));
  }
  return { state, texts: Object.fromEntries(texts) };
}
