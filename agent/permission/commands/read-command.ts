// Parses a command line like a POSIX shell (and bash): quotes, escapes, operators, redirections and nested commands. It
// runs nothing and knows no variable. One pass with an explicit stack, so that time is linear in the text at any depth.
// Where the meaning is uncertain, the result has `isReadable: false`.
import { CommandFrames } from "./command-frames.ts";
import type { ReadCommand } from "./command-part.ts";
import type { PartBuilder } from "./part-builder.ts";

/** Words, quotes and expansions: more than a person would read before a confirmation. */
const MAX_PIECES = 5_000;
const MAX_DEPTH = 100;
/** Characters without a special meaning, in command context and between double quotes. */
const PLAIN = /[^ \t\n\r\0;&|<>()'"\\$`*?[{#]+/y;
const PLAIN_IN_QUOTES = /[^"\\$`]+/y;
const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/y;
const REDIRECT = /&>>|&>|<<<|<<|<>|<&|<|>>|>\||>&|>/y;

export function readCommand(text: string): ReadCommand {
  return new CommandReader(text).read();
}

class CommandReader {
  readonly #text: string;
  readonly #frames: CommandFrames;
  #at = 0;
  #openBackticks = 0;
  #isReadable = true;

  constructor(text: string) {
    this.#text = text;
    this.#frames = new CommandFrames(text);
  }

  read(): ReadCommand {
    while (this.#at < this.#text.length && this.#frames.pieces <= MAX_PIECES) {
      if (this.#frames.depth > MAX_DEPTH) break;
      if (this.#frames.kind === "quotes") this.#readQuoted();
      else if (this.#frames.kind === "brace") this.#readBrace();
      else this.#readPlain();
    }
    if (this.#at < this.#text.length || this.#frames.depth > 1) this.#isReadable = false;
    this.#at = Math.min(this.#at, this.#text.length);
    while (this.#frames.depth > 1) this.#pop(0);
    this.#endPart(0);
    const { parts, constructs } = this.#frames;
    return { parts, constructs, isReadable: this.#isReadable };
  }

  #readPlain(): void {
    const { part } = this.#frames;
    const plain = this.#take(PLAIN);
    if (plain !== null) return part.append(plain);
    const next = this.#text[this.#at + 1];
    switch (this.#text[this.#at]) {
      case "\n":
      case "\r":
      case "\0":
      case ";":
        return this.#endPart(1);
      case "&":
        if (next === ">") return this.#readRedirect();
        return this.#endPart(next === "&" ? 2 : 1);
      case "|":
        return this.#endPart(next === "|" || next === "&" ? 2 : 1, next !== "|");
      case "<":
      case ">":
        return this.#readRedirect();
      case "(":
        this.#frames.constructs.add(next === ")" ? "function_definition" : "subshell");
        this.#endPart(0);
        return this.#open("paren", 1);
      case ")":
        return this.#closeParen();
      case "'":
        return this.#readSingleQuotes(part);
      case '"':
        part.append("");
        return this.#push("quotes", 1);
      case "\\":
        return this.#readEscape(part);
      case "$":
        return this.#readDollar();
      case "`":
        return this.#readBacktick();
      case "*":
      case "?":
      case "[":
        part.markWildcard();
        return this.#takeLiteral(part);
      case "{":
        return this.#readOpenBrace(part);
      case "#":
        if (part.text !== null) return this.#takeLiteral(part);
        return this.#skipComment();
      default:
        this.#at += 1;
        return this.#frames.endWord();
    }
  }

  #readQuoted(): void {
    const { part } = this.#frames;
    const plain = this.#take(PLAIN_IN_QUOTES);
    if (plain !== null) return part.append(plain);
    const character = this.#text[this.#at];
    if (character === '"') return this.#pop(1);
    if (character === "$") return this.#readDollar();
    if (character === "`") return this.#readBacktick();
    if (this.#openBackticks > 0) this.#isReadable = false;
    const next = this.#text[this.#at + 1] ?? "";
    if (next === "\n") this.#at += 2;
    else if ('$`"\\'.includes(next) && next !== "") this.#takeAs(part, 2, next);
    else this.#takeLiteral(part);
  }

  /** Inside `${…}` only nested commands count, since its value is unknown. */
  #readBrace(): void {
    switch (this.#text[this.#at]) {
      case "}":
        return this.#pop(1);
      case '"':
        return this.#push("quotes", 1);
      case "\\":
        this.#at += 2;
        return;
      case "$":
        return this.#readDollar();
      case "`":
        return this.#readBacktick();
      case "<":
      case ">":
        if (this.#text[this.#at + 1] === "(") return this.#readRedirect();
        break;
      case "'":
        // Quotes here have another meaning inside double quotes than outside.
        this.#isReadable = false;
        break;
      default:
    }
    this.#at += 1;
  }

  #readDollar(): void {
    const { part } = this.#frames;
    const next = this.#text[this.#at + 1];
    if (next === "(") {
      this.#frames.constructs.add("command_substitution");
      part.markUnknown();
      return this.#open("paren", 2);
    }
    if (next === "{") {
      this.#frames.constructs.add("complex_expansion");
      part.markUnknown();
      return this.#push("brace", 2);
    }
    const isQuoted = this.#frames.kind === "quotes";
    if (next === "[") {
      // The old syntax of arithmetic expansion.
      this.#frames.constructs.add("complex_expansion");
      part.markUnknown();
      return this.#takeLiteral(part);
    }
    if (next === "'" && !isQuoted) return this.#readEscapedQuotes(part);
    if (next === '"' && !isQuoted) {
      this.#at += 1;
      return;
    }
    if (this.#take(VARIABLE) === null) return this.#takeLiteral(part);
    this.#frames.constructs.add("simple_expansion");
    part.markUnknown();
  }

  #readBacktick(): void {
    this.#frames.constructs.add("command_substitution");
    if (this.#openBackticks === 0) {
      this.#openBackticks += 1;
      this.#frames.part.markUnknown();
      return this.#open("backtick", 1);
    }
    while (this.#frames.kind !== "backtick") {
      this.#isReadable = false;
      this.#pop(0);
    }
    this.#openBackticks -= 1;
    this.#pop(1);
  }

  #readSingleQuotes(part: PartBuilder): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) this.#isReadable = false;
    part.append(this.#text.slice(this.#at + 1, end < 0 ? undefined : end));
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** `$'…'`, in which `\x72` is an escaped letter. */
  #readEscapedQuotes(part: PartBuilder): void {
    const start = this.#at + 2;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== "'") {
      if (this.#text[end] === "\\") {
        part.markUnknown();
        end += 1;
      }
      end += 1;
    }
    if (end >= this.#text.length) this.#isReadable = false;
    part.append(this.#text.slice(start, end));
    this.#at = end + 1;
  }

  #readEscape(part: PartBuilder): void {
    const next = this.#text[this.#at + 1] ?? "";
    // Inside backticks one level of backslashes is removed before the text is parsed.
    if (this.#openBackticks > 0) this.#isReadable = false;
    if (next === "\n") this.#at += 2;
    else this.#takeAs(part, 2, next);
  }

  #readRedirect(): void {
    const { part } = this.#frames;
    const isProcess = /[<>]/.test(this.#text[this.#at] ?? "") && this.#text[this.#at + 1] === "(";
    if (isProcess) {
      this.#frames.constructs.add("process_substitution");
      part.markUnknown();
      return this.#open("paren", 2);
    }
    const operator = this.#take(REDIRECT) ?? "";
    // A here-document: the following lines are text, up to a delimiter that may be written in many ways.
    if (operator === "<<") this.#isReadable = false;
    // Digits directly before the operator are a file descriptor.
    if (part.isNumber) part.dropWord();
    this.#frames.endWord();
    part.redirect(operator);
  }

  #readOpenBrace(part: PartBuilder): void {
    const next = this.#text[this.#at + 1] ?? "";
    const isReservedWord = part.text === null && /\s/.test(next);
    if (next === "}") return this.#takeAs(part, 2, "{}");
    if (!isReservedWord) part.markUnknown();
    this.#takeLiteral(part);
  }

  /** A shell without comments in this mode would run the text: it is harmless only without operators and quotes. */
  #skipComment(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\n\r\0]/.test(this.#text[this.#at] ?? "")) {
      this.#at += 1;
    }
    if (/[;&|<>()'"\\$`]/.test(this.#text.slice(start, this.#at))) this.#isReadable = false;
    this.#frames.part.hasNested = true;
  }

  #closeParen(): void {
    if (this.#frames.kind === "paren") {
      return this.#pop(1);
    }
    // The end of a pattern of `case`, or a syntax error.
    this.#frames.constructs.add("control_flow");
    this.#endPart(1);
  }

  #open(kind: "paren" | "backtick", length: number): void {
    this.#at += length;
    this.#frames.open(kind, this.#at);
  }

  #push(kind: "quotes" | "brace", length: number): void {
    this.#at += length;
    this.#frames.push(kind);
  }

  #pop(length: number): void {
    this.#frames.pop(this.#at);
    this.#at += length;
  }

  /** @param length The length of the operator that ends the part. */
  #endPart(length: number, isPiped = false): void {
    this.#frames.endPart(this.#at, this.#at + length, isPiped);
    this.#at += length;
  }

  #take(pattern: RegExp): string | null {
    const start = this.#at;
    pattern.lastIndex = start;
    if (!pattern.test(this.#text)) return null;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #takeLiteral(part: PartBuilder): void {
    this.#takeAs(part, 1, this.#text[this.#at] ?? "");
  }

  #takeAs(part: PartBuilder, length: number, text: string): void {
    part.append(text);
    this.#at += length;
  }
}
