// Reading the body of somebody else's answer, as bytes and as server-sent events, with a limit on each.
import { createParser } from "eventsource-parser";

/** Thrown while reading, as soon as the limit is passed. */
export class BodyTooBig extends Error {
  override readonly name = "BodyTooBig";
}

export interface ReadOptions {
  /** Limit of the whole body; none when left out. */
  readonly maxBytes?: number;
  /** Called for each piece that comes in, before it is looked at. What it throws ends the reading. */
  readonly onPiece?: (bytes: number) => void;
}

/**
 * The body as it comes in. Leaving the loop early drops the connection.
 * @throws {BodyTooBig} once more than `maxBytes` came in; and whatever the connection throws when it breaks.
 */
export async function* readBytes(
  response: Response,
  { maxBytes = Number.POSITIVE_INFINITY, onPiece }: ReadOptions = {},
): AsyncGenerator<Uint8Array, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onPiece?.(value.byteLength);
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooBig();
      yield value;
    }
  } finally {
    // A body that is read to its end or broken already has nothing to cancel.
    await reader.cancel().catch(() => {});
  }
}

export interface ReadEventsOptions extends ReadOptions {
  /** Limit of what comes between two events: of one event, about, and of lines that are none. */
  readonly maxEventCharacters: number;
}

/** As much as is read at a time: more than a connection holds of a stream that people read along. */
const READ_BYTES = 32_768;

/**
 * The `data` of each server-sent event. All that one read completed comes at once: a step of the event loop
 * for every token would cost more than parsing it. An event without its blank line is not one.
 * Leaving the loop early drops the connection.
 * @throws {BodyTooBig} for an event beyond the limit, and as {@link readBytes}.
 */
export async function* readEventData(
  response: Response,
  { maxEventCharacters, maxBytes = Number.POSITIVE_INFINITY, onPiece }: ReadEventsOptions,
): AsyncGenerator<readonly string[], void> {
  if (!response.body) return;
  let events: string[] = [];
  // Without `onError`, for which the parser makes an error of each line that is no field: a body may have millions.
  const parser = createParser({ onEvent: (event) => events.push(event.data) });
  const decoder = new TextDecoder();
  // One buffer for the whole stream, which a reader without one would make anew for every token.
  const reader = response.body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(READ_BYTES);
  let bytes = 0;
  let characters = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      onPiece?.(value.byteLength);
      buffer = value.buffer;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooBig();
      const text = decoder.decode(value, { stream: true });
      parser.feed(text);
      characters += text.length;
      if (events.length > 0) {
        yield events;
        events = [];
        characters = 0;
      } else if (characters > maxEventCharacters) throw new BodyTooBig();
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
