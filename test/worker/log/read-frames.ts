// The parts of the log's frames and of an answer's pieces that the tests look at.
import type { LargeFrames, StoredFrames } from "../../../durable-objects/log/event-table.ts";
import { frameTexts } from "../../../durable-objects/log/frame-bytes.ts";
import { joinBytes } from "../../../durable-objects/bytes/join-bytes.ts";
import type { Piece } from "../../../durable-objects/bytes/piece-reader.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";

export function textOf(read: StoredFrames | LargeFrames): string {
  const bytes = "bytes" in read ? read.bytes : joinBytes([...read.pieces]);
  return new TextDecoder().decode(bytes);
}

export function eventsOf(frames: string): LoggedEvent[] {
  return frameTexts(frames).map(({ text }) => JSON.parse(text) as LoggedEvent);
}

/** The answer that pieces make. */
export function answerOf<Value>(read: Result<Iterable<Piece>>): Value {
  if (!read.ok) throw new Error(read.refusal.detail);
  const decoder = new TextDecoder();
  const texts = [...read.value].map((piece) =>
    typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }),
  );
  return JSON.parse(texts.join("")) as Value;
}
