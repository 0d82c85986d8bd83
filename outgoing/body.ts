// Reads response bodies of external servers, as bytes or server-sent events, with a size limit.
import { createParser } from "eventsource-parser";

import { BareJson } from "./bare-json.ts";

/** Thrown while reading, as soon as the limit is passed. */
export class BodyTooBig extends Error {
  override readonly name = "BodyTooBig";
}

export interface ReadOptions {
  /** Limit of the whole body; none when left out. */
  readonly maxBytes?: number;
  /** Called for each chunk before it is parsed. An exception ends the reading. */
  readonly onPiece?: (bytes: number) => void;
}

/**
 * The body as chunks. Leaving the loop early closes the connection.
 * @throws {BodyTooBig} after more than `maxBytes`; and the connection's own errors.
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
    // Cancelling fails on a body that is complete or broken, which is harmless.
    await reader.cancel().catch(() => {});
  }
}

export interface ReadEventsOptions extends ReadOptions {
  /** Approximate limit of one event, and of any text between two events. */
  readonly maxEventCharacters: number;
  /** Told the milliseconds after which the server wants a broken stream to be resumed. */
  readonly onRetry?: (delayMs: number) => void;
  /** Whether JSON that stands in the body without `data:` before it is read as events too. */
  readonly readsBareJson?: boolean;
}

export interface ReceivedEvent {
  readonly data: string;
  /** Of the line `event:`. */
  readonly event?: string | undefined;
  readonly id?: string | undefined;
}

/** Marks of an event whose place in the body is unusual. */
export interface EventMarks {
  /**
   * The body ended, as by itself, before the event's blank line. Whether the event is whole only its data can say: a
   * connection without a length also ends so when its server has crashed.
   */
  readonly isOpen: boolean;
  /** JSON that is no event's data. */
  readonly isBare: boolean;
}

/** Buffer size of one read: more than a live stream has available at once. */
const READ_BYTES = 32_768;
const USUAL: EventMarks = { isOpen: false, isBare: false };

/**
 * Server-sent events in batches: all events that one read completed, because a step of the event loop per token would
 * cost more than parsing it. The last event counts without its blank line when the body has ended by itself, and never
 * when the connection broke. Leaving the loop early closes the connection.
 * @param pick What is kept of each event.
 * @throws {BodyTooBig} for an event beyond the limit, and as {@link readBytes}.
 */
export async function* readEvents<Item>(
  response: Response,
  options: ReadEventsOptions,
  pick: (event: ReceivedEvent, marks: EventMarks) => Item,
): AsyncGenerator<readonly Item[], void> {
  if (!response.body) return;
  const { maxEventCharacters, maxBytes = Number.POSITIVE_INFINITY, onPiece, onRetry } = options;
  let events: Item[] = [];
  let marks = USUAL;
  // Without `onError`: with it the parser creates an error for each invalid line, of which a body may have millions.
  const parser = createParser({ onEvent: (event) => events.push(pick(event, marks)), onRetry });
  const bareJson = new BareJson({
    onText: (text) => parser.feed(text),
    onJson: (data) => events.push(pick({ data }, { ...marks, isBare: true })),
  });
  const decoder = new TextDecoder();
  // A BYOB reader reuses one buffer; a default reader would allocate one per token.
  const reader = response.body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(READ_BYTES);
  let bytes = 0;
  let characters = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) break;
      onPiece?.(value.byteLength);
      buffer = value.buffer;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooBig();
      const text = decoder.decode(value, { stream: true });
      if (options.readsBareJson) bareJson.feed(text);
      else parser.feed(text);
      characters += text.length;
      if (events.length > 0) {
        yield events;
        events = [];
        characters = 0;
      } else if (characters > maxEventCharacters) throw new BodyTooBig();
    }
    marks = { ...USUAL, isOpen: true };
    bareJson.end();
    parser.feed(`${decoder.decode()}\n\n`);
    if (events.length > 0) yield events;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
