import { memo } from "react";

/** Characters of a piece. */
const PIECE_CHARACTERS = 1_500;

/** Plain text of any length that may grow at its end: pieces that are full are drawn once. */
export function LongText({ text }: { readonly text: string }) {
  return (
    <div className="plain-text">
      {piecesOf(text).map((piece, index) => (
        // A piece is a place in the text.
        <Piece key={index} text={piece} />
      ))}
    </div>
  );
}

const Piece = memo(function Piece({ text }: { readonly text: string }) {
  return <div className="text-part">{text}</div>;
});

/** Cut at spaces, at the same places however long the text is. A cut takes its space with it, since it ends a line. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > PIECE_CHARACTERS) {
    const space = lastSpace(text, start, start + PIECE_CHARACTERS);
    pieces.push(text.slice(start, space));
    start = /\s/.test(text.charAt(space)) ? space + 1 : space;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The last newline or space of a range; its end when there is none. */
function lastSpace(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end);
  if (line > start) return line;
  const space = text.lastIndexOf(" ", end);
  return space > start ? space : end;
}
