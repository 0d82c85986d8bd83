// Parses a regular expression of JSON Schema: ECMAScript with the flag `u`. The runtime decides whether the syntax is
// valid; this parser only finds its structure. Backreferences are refused, because they cannot be matched in a few
// passes over a text.
import {
  MAX_PATTERN_CHARACTERS,
  MAX_PATTERN_DEPTH,
  MAX_PATTERN_LOOKS,
  MAX_PATTERN_STATES,
} from "../schemas/limits.ts";
import { countStates, type PatternNode } from "./pattern-tree.ts";

export type ReadPattern =
  | { readonly ok: true; readonly tree: PatternNode }
  /** The problem, worded to follow the pattern's text. */
  | { readonly ok: false; readonly problem: string };

const ASSERTIONS: ReadonlyMap<string, PatternNode> = new Map([
  ["^", { type: "assertion", holds: "start" }],
  ["$", { type: "assertion", holds: "end" }],
  ["\\b", { type: "assertion", holds: "word" }],
  ["\\B", { type: "assertion", holds: "no_word" }],
]);
/** Escapes of more than two characters. A pair of surrogates is one character. */
const LONG_ESCAPE =
  /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[pP]\{[^}]*\})/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const GROUP = /\((?:\?(?::|<(?![=!])[^>]*>))?/y;
const LOOK = /\(\?(<?)([=!])/y;

/** Every escape; for `\p{…}` and `\P{…}` captures the name in braces. */
const ESCAPES = /\\(?:[pP]\{([\w=]{1,100})\}|[^])/g;

/**
 * Cost: linear in the pattern, however many repetitions it asks for.
 * @param knowsProperty Whether a name such as `L` or `Script=Greek` is a Unicode property. Asking the runtime takes a
 *   tenth of a millisecond, so the caller must bound the number of names.
 */
export function readPattern(
  pattern: string,
  knowsProperty: (name: string) => boolean,
): ReadPattern {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    return refuse(`has more than ${MAX_PATTERN_CHARACTERS} characters`);
  }
  if (!isRegularExpression(pattern, knowsProperty)) return refuse("is no regular expression");
  const reader = new PatternReader(pattern);
  const tree = reader.readChoice(1);
  if (reader.problem !== null) return refuse(reader.problem);
  if (countStates(tree) > MAX_PATTERN_STATES) {
    return refuse("repeats too much: give lengths with minLength and maxLength");
  }
  return { ok: true, tree };
}

function refuse(problem: string): ReadPattern {
  return { ok: false, problem };
}

/**
 * Whether the runtime accepts the pattern. Properties are checked by name instead, because the runtime loads each one
 * anew.
 */
export function isRegularExpression(
  pattern: string,
  knowsProperty: (name: string) => boolean,
): boolean {
  let isKnown = true;
  // `\d` is valid wherever a property escape is.
  const simple = pattern.replace(ESCAPES, (escape: string, name: string | undefined) => {
    if (name === undefined) return escape;
    isKnown &&= knowsProperty(name);
    return "\\d";
  });
  return isKnown && compiles(simple);
}

/** @param name As written in `\p{…}`. */
export function isUnicodeProperty(name: string): boolean {
  return compiles(`\\p{${name}}`);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

class PatternReader {
  problem: string | null = null;
  readonly #pattern: string;
  #at = 0;
  #looks = 0;

  /** @param pattern Accepted by the runtime. */
  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Reads to the end of the group or the pattern. */
  readChoice(depth: number): PatternNode {
    if (depth > MAX_PATTERN_DEPTH) {
      this.#refuse(`nests more than ${MAX_PATTERN_DEPTH} groups`);
    }
    const options = [this.#readSequence(depth)];
    while (this.#pattern[this.#at] === "|") {
      this.#at += 1;
      options.push(this.#readSequence(depth));
    }
    const [first] = options;
    return options.length === 1 && first ? first : { type: "choice", options };
  }

  #readSequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at] ?? "")) {
      parts.push(this.#readQuantifiers(this.#readPiece(depth)));
    }
    return { type: "sequence", parts };
  }

  #readQuantifiers(part: PatternNode): PatternNode {
    const [, sign, least, comma, most] = this.#take(QUANTIFIER) ?? [];
    if (sign !== undefined) {
      return {
        type: "repeat",
        part,
        min: sign === "+" ? 1 : 0,
        max: sign === "?" ? 1 : Infinity,
      };
    }
    if (least === undefined) return part;
    const min = Number(least);
    if (comma === undefined) return { type: "repeat", part, min, max: min };
    return { type: "repeat", part, min, max: most ? Number(most) : Infinity };
  }

  #readPiece(depth: number): PatternNode {
    const start = this.#at;
    const character = this.#pattern[start] ?? "";
    if (character === "(") return this.#readGroup(depth);
    if (character === "[") return this.#readClass();
    if (character === "\\") return this.#readEscape();
    if (character === "." || ASSERTIONS.has(character)) {
      this.#at += 1;
      return ASSERTIONS.get(character) ?? { type: "set", source: character };
    }
    const codePoint = this.#pattern.codePointAt(start) ?? 0;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return { type: "character", codePoint };
  }

  #readGroup(depth: number): PatternNode {
    const look = this.#take(LOOK);
    const opening = look ? null : this.#take(GROUP)?.[0];
    if (opening === "(" && this.#pattern[this.#at] === "?") {
      this.#refuse("changes flags within: write both cases out, as [aA]");
    }
    const part = this.readChoice(depth + 1);
    this.#at += 1;
    if (!look) return part;
    this.#looks += 1;
    if (this.#looks > MAX_PATTERN_LOOKS) {
      this.#refuse(`looks ahead or behind more than ${MAX_PATTERN_LOOKS} times`);
    }
    return { type: "look", isAhead: look[1] === "", isNegative: look[2] === "!", part };
  }

  #readClass(): PatternNode {
    const start = this.#at;
    this.#at += 1;
    while (this.#pattern[this.#at] !== "]") {
      this.#at += this.#pattern[this.#at] === "\\" ? 2 : 1;
    }
    this.#at += 1;
    return { type: "set", source: this.#pattern.slice(start, this.#at) };
  }

  #readEscape(): PatternNode {
    const long = this.#take(LONG_ESCAPE)?.[0];
    if (long !== undefined) return { type: "set", source: long };
    const source = this.#pattern.slice(this.#at, this.#at + 2);
    this.#at += 2;
    if (/^\\[1-9k]/.test(source)) {
      this.#refuse("refers back to what a group has found: write it out, or check it in the tool");
    }
    const isPlain = /^\\[\^$\\.*+?()[\]{}|/]$/.test(source);
    if (isPlain) return { type: "character", codePoint: source.charCodeAt(1) };
    return ASSERTIONS.get(source) ?? { type: "set", source };
  }

  /** Records the problem and stops reading. */
  #refuse(problem: string): void {
    this.problem ??= problem;
    this.#at = this.#pattern.length;
  }

  /** Matches `expression` at the current position. */
  #take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at = expression.lastIndex;
    return found;
  }
}
