// Remembers which words were said without keeping them: by length and hash, since an answer may have a hundred
// megabytes.

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/** A text that grows. Two are taken for the same by hashes of 32 bits. */
export class SaidText {
  #length = 0;
  #hash = SEED;

  constructor(text = "") {
    this.add(text);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Hot path: runs for each token, an operation for each character. */
  add(piece: string): void {
    this.#length += piece.length;
    this.#hash = extend(this.#hash, piece, piece.length);
  }

  isSameAs(other: SaidText): boolean {
    return this.#length === other.#length && this.#hash === other.#hash;
  }

  /** The end of a text that begins with what was said; null for any other text. */
  restOf(whole: string): string | null {
    if (whole.length < this.#length) return null;
    if (extend(SEED, whole, this.#length) !== this.#hash) return null;
    return whole.slice(this.#length);
  }
}

function extend(before: number, text: string, length: number): number {
  let hash = before;
  for (let at = 0; at < length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return hash;
}
