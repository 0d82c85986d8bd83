// Reads a lazily generated answer in pieces of bounded size.
import { ANSWER_PIECE_BYTES } from "../../protocol/requests/limits.ts";
import { joinBytes } from "./join-bytes.ts";

/** A piece of an answer: text, or bytes of text. */
export type Piece = string | Uint8Array;

export class PieceReader {
  readonly #pieces: Iterator<Piece, void>;
  readonly #encoder = new TextEncoder();
  /** Text that was generated and not taken yet. */
  #rest = "";
  #isOver = false;

  constructor(pieces: Iterable<Piece>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Whether the end was reached. May become true only when the next piece is taken. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The next {@link ANSWER_PIECE_BYTES}, approximately; null at the end. */
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

/** Does not split a surrogate pair, whose halves cannot be encoded apart. */
function cutBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end + 1 : end;
}
