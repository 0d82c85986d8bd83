// An index of character pairs in some texts, which quickly finds that a rule's literal text occurs in none of them. One
// pass over the texts, then a few lookups per rule.

/** A symbol before and after each text, which no text contains. */
export const BOUNDARY = -1;
const BUCKETS = 65_536;
/** Pairs of a run among which the rarest is searched. */
const MAX_PAIRS = 16;
/** Places that are checked; a run whose rarest pair is more frequent counts as present. */
const MAX_PLACES = 128;

export class TextIndex {
  /** The texts, concatenated. */
  readonly #symbols: Int32Array;
  readonly #starts = new Int32Array(BUCKETS + 1);
  /** The positions of pairs, bucket by bucket. */
  readonly #places: Int32Array;

  /** Costs a few operations per character. */
  constructor(texts: readonly Int32Array[]) {
    const length = texts.reduce((sum, text) => sum + text.length + 1, 1);
    const symbols = new Int32Array(length).fill(BOUNDARY);
    let end = 1;
    for (const text of texts) {
      symbols.set(text, end);
      end += text.length + 1;
    }
    this.#symbols = symbols;
    this.#places = new Int32Array(Math.max(length - 1, 0));
    const starts = this.#starts;
    for (let at = 1; at < length; at += 1) {
      const bucket = bucketOf(symbols[at - 1] ?? 0, symbols[at] ?? 0) + 1;
      starts[bucket] = (starts[bucket] ?? 0) + 1;
    }
    for (let bucket = 1; bucket <= BUCKETS; bucket += 1) {
      starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
    }
    const next = starts.slice();
    for (let at = 1; at < length; at += 1) {
      const bucket = bucketOf(symbols[at - 1] ?? 0, symbols[at] ?? 0);
      const place = next[bucket] ?? 0;
      this.#places[place] = at - 1;
      next[bucket] = place + 1;
    }
  }

  /**
   * Whether a run of characters and boundaries may occur in a text. False is certain; true is not where the run is
   * short or consists of frequent pairs.
   */
  mayHave(run: Int32Array): boolean {
    let rarest = -1;
    let fewest = Infinity;
    for (let at = 0; at + 1 < run.length && at < MAX_PAIRS; at += 1) {
      const count = this.#count(run[at] ?? 0, run[at + 1] ?? 0);
      if (count >= fewest) continue;
      fewest = count;
      rarest = at;
    }
    if (rarest < 0 || fewest > MAX_PLACES) return true;
    const first = this.#starts[bucketOf(run[rarest] ?? 0, run[rarest + 1] ?? 0)] ?? 0;
    for (const place of this.#places.subarray(first, first + fewest)) {
      if (this.#isAt(run, place - rarest)) return true;
    }
    return false;
  }

  #count(first: number, second: number): number {
    const bucket = bucketOf(first, second);
    return (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
  }

  #isAt(run: Int32Array, start: number): boolean {
    if (start < 0) return false;
    for (let at = 0; at < run.length; at += 1) {
      if (this.#symbols[start + at] !== run[at]) return false;
    }
    return true;
  }
}

function bucketOf(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 16;
}
