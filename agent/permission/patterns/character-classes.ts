// The character classes of one wildcard pattern: `[a-z]`, `[!a-z]`, `[^a-z]`. ASCII is a bit set of four words per
// class; a pattern may hold tens of thousands of classes.

const ASCII_WORDS = 4;
const ASCII_END = 0x80;
const HYPHEN = 0x2d;
/** Shared by patterns without classes, which are most. */
const NO_BITS = new Uint32Array(0);

type Range = readonly [low: number, high: number];

export class CharacterClasses {
  #bits = NO_BITS;
  readonly #isNegated: boolean[] = [];
  /** Ranges beyond ASCII, by class. */
  readonly #ranges = new Map<number, Range[]>();

  get count(): number {
    return this.#isNegated.length;
  }

  /**
   * Adds the class that begins with the `[` at `start`. A `]` right after it (or after its `!`) is a literal.
   * @returns The index after the class, or -1 when it is not closed.
   */
  read(pattern: string, start: number): number {
    const mark = pattern[start + 1];
    const isNegated = mark === "!" || mark === "^";
    const first = start + (isNegated ? 2 : 1);
    const close = pattern.indexOf("]", first + 1);
    if (close < 0) return -1;

    const index = this.count;
    this.#isNegated.push(isNegated);
    this.#reserve(index);
    for (let at = first; at < close;) {
      const low = pattern.codePointAt(at) ?? 0;
      at += widthOf(low);
      const isRange = pattern.charCodeAt(at) === HYPHEN && at + 1 < close;
      const high = isRange ? (pattern.codePointAt(at + 1) ?? 0) : low;
      if (isRange) at += 1 + widthOf(high);
      this.#add(index, low, high);
    }
    return close + 1;
  }

  has(index: number, codePoint: number): boolean {
    const isMember =
      codePoint < ASCII_END
        ? (((this.#bits[index * ASCII_WORDS + (codePoint >> 5)] ?? 0) >>> (codePoint & 31)) & 1) ===
          1
        : (this.#ranges.get(index) ?? []).some(
            ([low, high]) => low <= codePoint && codePoint <= high,
          );
    return isMember !== this.#isNegated[index];
  }

  /** Comparisons that {@link has} may need beyond the first. */
  costOf(index: number): number {
    return this.#ranges.size === 0 ? 0 : (this.#ranges.get(index)?.length ?? 0);
  }

  #add(index: number, low: number, high: number): void {
    for (let code = low; code <= high && code < ASCII_END; code += 1) {
      const word = index * ASCII_WORDS + (code >> 5);
      this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (code & 31));
    }
    if (high < ASCII_END || high < low) return;
    const ranges = this.#ranges.get(index);
    if (ranges) ranges.push([low, high]);
    else this.#ranges.set(index, [[low, high]]);
  }

  #reserve(index: number): void {
    const needed = (index + 1) * ASCII_WORDS;
    if (needed <= this.#bits.length) return;
    const grown = new Uint32Array(2 * needed);
    grown.set(this.#bits);
    this.#bits = grown;
  }
}

function widthOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
