// Reads JSON as models write it: with the quotes, comments, commas and names of JavaScript and Python. What has more
// than one reading, or ends before its last bracket, is not read. One pass over the text.
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";

export type LenientProblem = "no_json" | "cut_off" | "several" | "too_deep" | "backslashes";

export type LenientJson =
  /** Strict JSON with the same values. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: LenientProblem };

class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly problem: LenientProblem;

  constructor(problem: LenientProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** By the quote that opens a text, the one that closes it. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
]);
const LITERALS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORD = /[^\s,:{}[\]"'“”‘’`/]+/y;
const SPACE = /\s+/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
/** Most of a text: characters that stand for themselves, whatever its quotes. */
const PLAIN = /[^\\"'”’\p{Cc}]+/uy;
const HEX = /[0-9a-fA-F]{4}/y;
/** Objects behind each other that are compared. */
const MAX_OBJECTS = 8;
const FENCE = "```";
const FENCE_LINE = /```[\w-]*\s/y;

/** Reads a text with one value, or several that say the same. */
export function readLenient(text: string): LenientJson {
  try {
    return { ok: true, text: new LenientReader(text).readAll() };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, problem: error.problem };
    throw error;
  }
}

class LenientReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Brackets and marks behind the value add nothing to it. Some endpoints put an empty object before it, or it twice. */
  readAll(): string {
    this.#skipSpace();
    if (this.#match(FENCE_LINE) !== null) this.#skipSpace();
    const found = new Set<string>([this.#readValue(1)]);
    for (let objects = 1; objects <= MAX_OBJECTS;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) break;
      if (this.#text.startsWith(FENCE, this.#at)) this.#at += FENCE.length;
      else if ("}];,".includes(this.#here)) this.#at += 1;
      else if (this.#here === "{") {
        found.add(this.#readValue(1));
        objects += 1;
      } else throw new Unreadable("no_json");
    }
    if (found.size > 1) found.delete("{}");
    const [value, ...others] = found;
    if (value === undefined || others.length > 0 || this.#at < this.#text.length)
      throw new Unreadable("several");
    return value;
  }

  get #here(): string {
    return this.#text[this.#at] ?? "";
  }

  #readValue(depth: number): string {
    const here = this.#expectMore();
    if ((here === "{" || here === "[") && depth > MAX_INPUT_DEPTH) throw new Unreadable("too_deep");
    if (here === "{") return this.#readObject(depth);
    if (here === "[") return this.#readList(depth);
    return CLOSING.has(here) ? this.#readText() : this.#readWord();
  }

  #readObject(depth: number): string {
    const members: string[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#expectMore() === "}") break;
      const name = this.#readName();
      this.#skipSpace();
      if (this.#expectMore() !== ":") throw new Unreadable("no_json");
      this.#at += 1;
      this.#skipSpace();
      members.push(`${name}:${this.#readValue(depth + 1)}`);
      this.#endItem("}");
    }
    this.#at += 1;
    return `{${members.join()}}`;
  }

  #readList(depth: number): string {
    const items: string[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#expectMore() === "]") break;
      items.push(this.#readValue(depth + 1));
      this.#endItem("]");
    }
    this.#at += 1;
    return `[${items.join()}]`;
  }

  /** A comma, also behind the last item; between members a line or a space may be in its place, before a quoted name. */
  #endItem(closing: "}" | "]"): void {
    const isApart = this.#skipSpace();
    const here = this.#expectMore();
    if (here === ",") this.#at += 1;
    else if (here !== closing && !(closing === "}" && here === '"' && isApart)) {
      throw new Unreadable("no_json");
    }
  }

  #readName(): string {
    if (CLOSING.has(this.#here)) return this.#readText();
    const name = this.#match(NAME);
    if (name === null) throw new Unreadable("no_json");
    this.#expectMore();
    return JSON.stringify(name);
  }

  /** A number or a literal. One at the end of the text may continue behind it. */
  #readWord(): string {
    const word = this.#match(WORD);
    if (word === null) throw new Unreadable("no_json");
    this.#expectMore();
    if (NUMBER.test(word)) return word;
    const literal = LITERALS.get(word);
    if (literal === undefined) throw new Unreadable("no_json");
    return literal;
  }

  /**
   * A backslash before a letter that makes no escape stands for itself. In a text that has such ones, none is read as the
   * begin of an escape: `C:\dir\new` would get a line break.
   */
  #readText(): string {
    const closing = CLOSING.get(this.#here) ?? "";
    const pieces: string[] = [];
    let hasEscapes = false;
    let hasBackslashes = false;
    this.#at += 1;
    for (;;) {
      pieces.push(this.#match(PLAIN) ?? "");
      const here = this.#expectMore();
      this.#at += 1;
      if (here === closing) break;
      if (here !== "\\") {
        pieces.push(here === '"' ? '\\"' : here < " " ? JSON.stringify(here).slice(1, -1) : here);
        continue;
      }
      const escaped = this.#expectMore();
      this.#at += 1;
      const isQuote = escaped === '"' || escaped === "'";
      if (isQuote) {
        pieces.push(escaped === '"' ? '\\"' : "'");
        hasEscapes ||= escaped !== closing;
      } else if ("\\/bfnrt".includes(escaped)) {
        pieces.push(`\\${escaped}`);
        hasEscapes = true;
      } else {
        const code = escaped === "u" ? this.#match(HEX) : null;
        if (escaped === "u" && code === null && this.#at + 4 > this.#text.length) {
          throw new Unreadable("cut_off");
        }
        if (escaped < " ") throw new Unreadable("no_json");
        pieces.push(code === null ? `\\\\${escaped}` : `\\u${code}`);
        if (code === null) hasBackslashes = true;
        else hasEscapes = true;
      }
    }
    if (hasBackslashes && hasEscapes) throw new Unreadable("backslashes");
    return `"${pieces.join("")}"`;
  }

  /** White space and comments. @returns Whether there was some. */
  #skipSpace(): boolean {
    const start = this.#at;
    for (;;) {
      if (this.#match(SPACE) !== null) continue;
      const opening = this.#text.slice(this.#at, this.#at + 2);
      if (opening !== "//" && opening !== "/*") return this.#at > start;
      const closing = opening === "//" ? "\n" : "*/";
      const end = this.#text.indexOf(closing, this.#at + 2);
      if (end < 0) throw new Unreadable("cut_off");
      this.#at = end + closing.length;
    }
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  /** The next character of something that is still open. */
  #expectMore(): string {
    if (this.#at >= this.#text.length) throw new Unreadable("cut_off");
    return this.#here;
  }
}
