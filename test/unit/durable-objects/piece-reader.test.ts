import { expect, it } from "vitest";

import { PieceReader, type Piece } from "../../../durable-objects/bytes/piece-reader.ts";
import { ANSWER_PIECE_BYTES } from "../../../protocol/requests/limits.ts";

function readAll(pieces: Iterable<Piece>): { text: string; largest: number } {
  const reader = new PieceReader(pieces);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let largest = 0;
  for (let taken = reader.take(); taken; taken = reader.take()) {
    largest = Math.max(largest, taken.byteLength);
    text += decoder.decode(taken, { stream: true });
  }
  return { text: text + decoder.decode(), largest };
}

it("a text of any length is taken in bounded pieces, its characters whole", () => {
  const long = `a${"\u{1f98a}".repeat(ANSWER_PIECE_BYTES)}`;

  const { text, largest } = readAll(["[", long, new TextEncoder().encode("é"), "", "]"]);

  expect(text === `[${long}é]`).toBe(true);
  // Of these characters each unit takes two bytes; the last one of a piece may be half beyond it.
  expect(largest).toBeLessThanOrEqual(2 * ANSWER_PIECE_BYTES + 2);
});

it("nothing is asked for before it is taken", () => {
  let made = 0;
  const reader = new PieceReader(
    (function* () {
      for (;;) {
        made += 1;
        yield "x".repeat(ANSWER_PIECE_BYTES);
      }
    })(),
  );
  const before = made;
  reader.take();

  expect([before, made, reader.isOver]).toEqual([0, 1, false]);
});

it("is over when its pieces are", () => {
  const reader = new PieceReader(["a", "b"]);

  const taken = [reader.take(), reader.take()];

  expect([taken, reader.isOver]).toEqual([[new TextEncoder().encode("ab"), null], true]);
});
