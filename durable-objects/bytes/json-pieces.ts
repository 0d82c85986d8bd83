// JSON that is made while it is read: a list's items, and a whole message, need not be in memory at once.
import { PieceReader, type Piece } from "./piece-reader.ts";

/** The JSON of a value that is small, or in memory anyway; made when it is asked for. */
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
 * An object whose large members are made while they are read.
 * @param small The whole object; in place of the large members anything that is small.
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
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = reader.take();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "application/json" } });
}
