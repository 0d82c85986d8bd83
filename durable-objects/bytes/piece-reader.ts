// An answer that is made while it is read, a bounded piece at a time.
import { ANSWER_PIECE_BYTES } from "../../protocol/limits/reads.ts";
import { joinBytes } from "./join-bytes.ts";

/** Of an answer: text, or bytes of text. */
export type Piece = string | Uint8Array;

export class PieceReader {
  readonly #pieces: Iterator<Piece, void>;
  readonly #encoder = new TextEncoder();
  /** What was asked for and not taken yet. */
  #rest = "";
  #isOver = false;

  constructor(pieces: Iterable<Piece>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Nothing is left, as far as is known: it may turn out when the next piece is taken. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** About as much as is sent at once; null at the end. */
  take(): Uint8Array | null {
    const taken: Uint8Array[] = [];
    let text = "";
    let size = 0;
    const keepText = () => {
      if (text !== "") taken.push(this.#encoder.encode(text));
      text = "";
    };
    while (size < ANSWER_PIECE_BYTES) {
      const piece = this.#next(ANSWER_PIECE_BYTES - size);
      if (piece === null) break;
      size += piece.length;
      if (typeof piece === "string") text += piece;
      else {
        keepText();
        taken.push(piece);
      }
    }
    keepText();
    return taken.length === 0 ? null : joinBytes(taken);
  }

  #next(room: number): Piece | null {
    while (this.#rest === "") {
      const { done, value } = this.#isOver ? { done: true, value: undefined } : this.#pieces.next();
      if (done || value === undefined) {
        this.#isOver = true;
        return null;
      }
      if (typeof value !== "string") return value;
      this.#rest = value;
    }
    const end = cutBefore(this.#rest, room);
    const text = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end);
    return text;
  }
}

/** Not between the two units of one character, which could not be encoded apart. */
function cutBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end + 1 : end;
}
