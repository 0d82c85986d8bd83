// Follows a JSON object that arrives in pieces, without parsing it.

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([91, 123]);
const CLOSING: ReadonlySet<number> = new Set([93, 125]);
const BLANK: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/** The progress of reading one object. */
export class JsonScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #hasBegun = false;
  #hasBrackets = false;
  #hash = 0x811c9dc5;

  /** Whether something has come that is no white space. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the brackets that were opened, one at least, are closed. */
  get isWhole(): boolean {
    return this.#hasBrackets && this.#depth <= 0 && !this.#isInText;
  }

  /** Whether the same text has come, but for white space. As good as a hash of 32 bits. */
  isSameAs(other: JsonScan): boolean {
    return this.#hash === other.#hash && this.isWhole === other.isWhole;
  }

  /** Hot path: a few operations for each character of a call's input. */
  feed(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (!this.#isInText && BLANK.has(code)) continue;
      this.#hasBegun = true;
      this.#hash = Math.imul(this.#hash ^ code, 0x01000193);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        if (code === QUOTE) this.#isInText = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
      } else if (code === QUOTE) this.#isInText = true;
      else if (OPENING.has(code)) {
        this.#depth += 1;
        this.#hasBrackets = true;
      } else if (CLOSING.has(code)) this.#depth -= 1;
    }
  }
}
