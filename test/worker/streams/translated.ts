// Shared parts of the tests of translated streams: frames of any dialect, read to the end.
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { openStream } from "../sessions/session.ts";

export interface Frame {
  readonly id: string;
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
}

/** The complete frames of a text, without comments and `retry`. */
export function framesIn(text: string): Frame[] {
  const pieces = text.split("\n\n").slice(0, -1);
  return pieces.flatMap((frame): Frame[] => {
    const [, id, type, data] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
    if (id === undefined || data === undefined) return [];
    const event = JSON.parse(data) as Frame["event"];
    if (event.type !== type) throw new Error(`an event ${event.type} in a frame of ${type}`);
    return [{ id, event }];
  });
}

/** @param query Of the object's address. @returns Nothing for a 204. */
export async function readFrames(init: SessionInit, query: string): Promise<Frame[]> {
  const response = await openStream(init, query);
  if (response.status !== 200 && response.status !== 204) throw new Error(await response.text());
  return framesIn(await response.text());
}

/** Frames of a stream until `isEnough` holds, or to its end. */
export async function readUntil(
  response: Response,
  isEnough: (frames: readonly Frame[]) => boolean,
): Promise<Frame[]> {
  let text = "";
  const body = response.body ?? new ReadableStream<Uint8Array>();
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (isEnough(framesIn(text))) break;
  }
  return framesIn(text);
}

export function idsOf(frames: readonly Frame[]): string[] {
  return frames.map(({ id }) => id);
}

export function typesOf(frames: readonly Frame[]): string[] {
  return frames.map(({ event }) => event.type);
}

/** Number of runs, or replies, that have come to their end. */
export function endsOf(frames: readonly Frame[]): number {
  return typesOf(frames).filter((type) => type === "RUN_FINISHED" || type === "AGENT_END").length;
}
