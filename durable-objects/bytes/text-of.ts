import type { Piece } from "./piece-reader.ts";

/** The whole text of an answer that is read in pieces. */
export function textOf(pieces: Iterable<Piece>): string {
  const decoder = new TextDecoder();
  let text = "";
  for (const piece of pieces) {
    text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  }
  return text;
}
