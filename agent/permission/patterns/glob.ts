// Matches wildcard patterns in linear time. A pattern is split at its stars into pieces of fixed length, and each piece
// is searched for after the end of the one before: the leftmost match is always sufficient. Literal pieces use
// Knuth-Morris-Pratt search. Pieces with `?` or a class are tried place by place on a budget; a pattern and text that
// exhaust it get the answer `unsure`.
import { CharacterClasses } from "./character-classes.ts";

/** `unsure` has to be read strictly by the caller: a deny rule then matches, an allow rule does not. */
export type GlobFit = "yes" | "no" | "unsure";

const STAR = -1;
const ANY = -2;
/** Class number k is the token `FIRST_CLASS - k`. */
const FIRST_CLASS = -3;

/** Comparisons per character of pattern and text. Pieces of up to 6 elements never need more. */
const STEPS_PER_CHARACTER = 6;

const BRACKET = 0x5b;
const ASTERISK = 0x2a;
const QUESTION_MARK = 0x3f;
const BACKSLASH = 0x5c;
const FIRST_SURROGATE = 0xd800;

/** A compiled pattern. Flat arrays, so that a long pattern costs no object per piece. */
export interface Glob {
  /** Code points and negative tokens, without the stars. */
  readonly elements: Int32Array;
  /** The end of each piece in `elements`; the first begins at 0. */
  readonly ends: Int32Array;
  /** 1 for a literal piece. */
  readonly literals: Uint8Array;
  readonly classes: CharacterClasses;
}

/**
 * `*` matches any text, slashes included, `?` one character, `[a-z]` and `[!a-z]` are classes, `[` without `]` is a
 * literal.
 */
export function compileGlob(pattern: string): Glob {
  const tokens = new Int32Array(pattern.length);
  const classes = new CharacterClasses();
  const lastBracket = pattern.lastIndexOf("]");
  let count = 0;
  for (let at = 0; at < pattern.length; count += 1) {
    const character = pattern.charCodeAt(at);
    const end = character === BRACKET && at < lastBracket ? classes.read(pattern, at) : -1;
    if (end > 0) {
      tokens[count] = FIRST_CLASS - (classes.count - 1);
      at = end;
      continue;
    }
    const codePoint = codePointAt(pattern, at);
    if (character === ASTERISK) tokens[count] = STAR;
    else tokens[count] = character === QUESTION_MARK ? ANY : codePoint;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return cutAtStars(tokens.subarray(0, count), classes);
}

/** The pattern syntax of commands: only `*` is a wildcard, with `\*` and `\\` for the characters themselves. */
export function compileStars(pattern: string): Glob {
  const tokens = new Int32Array(pattern.length);
  let count = 0;
  for (let at = 0; at < pattern.length; count += 1) {
    const next = pattern.charCodeAt(at + 1);
    const isEscape =
      pattern.charCodeAt(at) === BACKSLASH && (next === ASTERISK || next === BACKSLASH);
    if (isEscape) at += 1;
    const codePoint = codePointAt(pattern, at);
    tokens[count] = codePoint === ASTERISK && !isEscape ? STAR : codePoint;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return cutAtStars(tokens.subarray(0, count), new CharacterClasses());
}

/** A pattern that matches every text that contains `text`. */
export function compileSubstring(text: string): Glob {
  const codePoints = toCodePoints(text);
  return {
    elements: codePoints,
    ends: Int32Array.of(0, codePoints.length, codePoints.length),
    literals: Uint8Array.of(1, 1, 1),
    classes: new CharacterClasses(),
  };
}

/** A text for {@link matchGlob}: code points, so that `?` never matches half a surrogate pair. */
export function toCodePoints(text: string): Int32Array {
  const codePoints = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const codePoint = codePointAt(text, at);
    codePoints[count] = codePoint;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return codePoints.subarray(0, count);
}

/** Whether the pattern matches the whole text. Costs a few comparisons per character of both. */
export function matchGlob(glob: Glob, text: Int32Array): GlobFit {
  return new GlobMatch(glob, text).run();
}

class GlobMatch {
  readonly #glob: Glob;
  readonly #text: Int32Array;
  #borders: Int32Array | null = null;
  #steps: number;

  constructor(glob: Glob, text: Int32Array) {
    this.#glob = glob;
    this.#text = text;
    this.#steps = STEPS_PER_CHARACTER * (text.length + glob.elements.length);
  }

  run(): GlobFit {
    const { ends, elements } = this.#glob;
    const { length } = this.#text;
    if (elements.length > length) return "no";
    const last = ends.length - 1;
    const firstEnd = ends[0] ?? 0;
    if (!this.#fits(0, firstEnd, 0)) return this.#no();
    if (last === 0) return length === firstEnd ? "yes" : "no";

    const lastStart = ends[last - 1] ?? 0;
    const limit = length - (elements.length - lastStart);
    let at = firstEnd;
    for (let piece = 1; piece < last; piece += 1) {
      const start = ends[piece - 1] ?? 0;
      const end = ends[piece] ?? 0;
      const isLiteral = this.#glob.literals[piece] === 1;
      const found = isLiteral
        ? this.#findLiteral(start, end, at, limit)
        : this.#findWithWildcards(start, end, at, limit);
      if (found < 0) return this.#no();
      at = found + (end - start);
    }
    return at <= limit && this.#fits(lastStart, elements.length, limit) ? "yes" : this.#no();
  }

  #no(): GlobFit {
    return this.#steps < 0 ? "unsure" : "no";
  }

  /** Whether the elements from `start` to `end` match the text at `at`, which is long enough. */
  #fits(start: number, end: number, at: number): boolean {
    const { elements, classes } = this.#glob;
    const text = this.#text;
    for (let index = start; index < end; index += 1) {
      const element = elements[index] ?? ANY;
      const character = text[at + index - start] ?? 0;
      this.#steps -= 1;
      if (element >= 0) {
        if (element !== character) return false;
      } else if (element !== ANY) {
        this.#steps -= classes.costOf(FIRST_CLASS - element);
        if (this.#steps < 0 || !classes.has(FIRST_CLASS - element, character)) return false;
      }
      if (this.#steps < 0) return false;
    }
    return true;
  }

  /** The first place from `from` at which the piece matches before `limit`, or -1. */
  #findWithWildcards(start: number, end: number, from: number, limit: number): number {
    for (let at = from; at + (end - start) <= limit; at += 1) {
      if (this.#fits(start, end, at)) return at;
      if (this.#steps < 0) return -1;
    }
    return -1;
  }

  #findLiteral(start: number, end: number, from: number, limit: number): number {
    const { elements } = this.#glob;
    const text = this.#text;
    const length = end - start;
    if (from + length > limit) return -1;
    const borders = this.#fillBorders(start, end);
    let matched = 0;
    for (let at = from; at < limit; at += 1) {
      const character = text[at];
      while (matched > 0 && elements[start + matched] !== character) {
        matched = borders[start + matched - 1] ?? 0;
      }
      if (elements[start + matched] === character) matched += 1;
      if (matched === length) return at + 1 - length;
    }
    return -1;
  }

  /**
   * The failure function of Knuth-Morris-Pratt: for each prefix the length of its longest proper prefix that is also
   * its suffix.
   */
  #fillBorders(start: number, end: number): Int32Array {
    const { elements } = this.#glob;
    const borders = (this.#borders ??= new Int32Array(elements.length));
    let length = 0;
    borders[start] = 0;
    for (let at = start + 1; at < end; at += 1) {
      const element = elements[at];
      while (length > 0 && element !== elements[start + length]) {
        length = borders[start + length - 1] ?? 0;
      }
      if (element === elements[start + length]) length += 1;
      borders[at] = length;
    }
    return borders;
  }
}

/** Repeated stars are one; the first and the last piece are kept even when empty. */
function cutAtStars(tokens: Int32Array, classes: CharacterClasses): Glob {
  const elements = new Int32Array(tokens.length);
  const ends = new Int32Array(tokens.length + 1);
  const literals = new Uint8Array(tokens.length + 1);
  let length = 0;
  let pieces = 0;
  let isLiteral = 1;
  for (const token of tokens) {
    if (token !== STAR) {
      if (token < 0) isLiteral = 0;
      elements[length] = token;
      length += 1;
    } else if (pieces === 0 || ends[pieces - 1] !== length) {
      ends[pieces] = length;
      literals[pieces] = isLiteral;
      pieces += 1;
      isLiteral = 1;
    }
  }
  ends[pieces] = length;
  literals[pieces] = isLiteral;
  return {
    elements: elements.subarray(0, length),
    ends: ends.subarray(0, pieces + 1),
    literals: literals.subarray(0, pieces + 1),
    classes,
  };
}

function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < FIRST_SURROGATE ? unit : (text.codePointAt(at) ?? unit);
}
