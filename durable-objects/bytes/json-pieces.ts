// Lazy JSON: it is generated while it is read, so that a list, or a whole message, is never in memory at once.
import { BACKLOG_SLICE_BYTES } from "../../protocol/events/limits.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { PieceReader, type Piece } from "./piece-reader.ts";

/** The JSON of a value that is small, or in memory anyway; generated when it is read. */
export function* jsonOf(value: unknown): Generator<Piece, void> {
  yield JSON.stringify(value);
}

export function* listPieces(items: Iterable<Iterable<Piece>>): Generator<Piece, void> {
  let before = "[";
  for (const item of items) {
    yield before;
    yield* item;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/**
 * An object whose large members are generated while they are read.
 * @param small The whole object, with a small placeholder for each large member.
 */
export function* objectPieces(
  small: object,
  large: Readonly<Record<string, Iterable<Piece>>> = {},
): Generator<Piece, void> {
  let before = "{";
  for (const [name, value] of Object.entries(small)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* large[name] ?? jsonOf(value);
    before = ",";
  }
  yield "}";
}

export function jsonResponse(pieces: Iterable<Piece>): Response {
  const reader = new PieceReader(pieces);
  let bytes = 0;
  let hasLeft = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A reader who is as fast as this object would otherwise be sent all of it without a look at the network.
        if (bytes > BACKLOG_SLICE_BYTES) {
          bytes = 0;
          await timeSlice();
          if (hasLeft) return;
        }
        const piece = reader.take();
        if (!piece) return controller.close();
        bytes += piece.byteLength;
        controller.enqueue(piece);
      },
      cancel() {
        hasLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "application/json" } });
}
