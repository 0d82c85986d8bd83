// Comparisons of texts that do not depend on case, spaces or punctuation, in any script.

/** Characters of a piece that is looked for in another text: long enough that no two sentences share many by chance. */
const PIECE_CHARACTERS = 6;

/** Letters and digits alone, in one form and case. */
export function foldedText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** The pieces of a folded text, as overlapping runs of characters; the text itself when it is shorter. */
export function piecesOf(folded: string): ReadonlySet<string> {
  const characters = [...folded.replaceAll(" ", "")];
  if (characters.length <= PIECE_CHARACTERS) return new Set([characters.join("")]);
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE_CHARACTERS <= characters.length; at += 1) {
    pieces.add(characters.slice(at, at + PIECE_CHARACTERS).join(""));
  }
  return pieces;
}

/** The part of the pieces that a text has, from 0 to 1. */
export function shareIn(pieces: ReadonlySet<string>, of: ReadonlySet<string>): number {
  if (pieces.size === 0) return 0;
  let found = 0;
  for (const piece of pieces) if (of.has(piece)) found += 1;
  return found / pieces.size;
}
