// Says where a text stops being JSON. Only for texts that JSON.parse has refused, whose own message differs between
// runtimes and names no line. Linear, and without recursion: the depth of a body is limited, its length is some megabytes.

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SPACE = /[ \t\r\n]*/y;
const FOUR_DIGITS = /[0-9a-fA-F]{4}/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters before it are control characters, which a string has as escapes alone. */
const SPACE_UNIT = 0x20;

interface Wrong {
  readonly at: number;
  readonly expected: string;
}

type Expecting = "value" | "firstItem" | "firstName" | "name" | "colon" | "next" | "end";

/** Such as `line 3, column 5: expected a name in double quotes, found "}"`. */
export function findJsonError(text: string): string {
  const { at, expected } = findWrong(text);
  const { line, column } = toPosition(text, at);
  return `line ${line}, column ${column}: expected ${expected}, found ${foundAt(text, at)}`;
}

/** Without a list of lines, which in a body of line breaks would be larger than the body. */
function toPosition(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

function foundAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "the end of the body";
  if (point === 0x22) return "a double quote";
  if (point > 0x20 && point < 0x7f) return `"${String.fromCodePoint(point)}"`;
  const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  if (point === 0xfeff) return `a byte order mark (${name})`;
  return point === 0x0a || point === 0x0d ? `a line break (${name})` : name;
}

/** A pushdown automaton over the tokens: the stack holds the open brackets. */
function findWrong(text: string): Wrong {
  const open: ("{" | "[")[] = [];
  let expecting: Expecting = "value";
  let at = 0;
  for (;;) {
    at = match(SPACE, text, at) ?? at;
    const character = text.charAt(at);
    const container = open.at(-1);
    if (expecting === "colon") {
      if (character !== ":") return { at, expected: 'a colon ":" behind the name' };
      at += 1;
      expecting = "value";
    } else if (expecting === "next") {
      const close = container === "{" ? "}" : "]";
      if (character !== "," && character !== close) return { at, expected: `"," or "${close}"` };
      at += 1;
      if (character === ",") expecting = container === "{" ? "name" : "value";
      else expecting = closed(open);
    } else if (expecting === "end") {
      return { at, expected: "nothing behind the JSON value" };
    } else if (expecting === "name" || expecting === "firstName") {
      if (character === "}" && expecting === "firstName") {
        at += 1;
        expecting = closed(open);
        continue;
      }
      if (character !== '"') return { at, expected: expectedName(character) };
      const end = endOfString(text, at);
      if (typeof end !== "number") return end;
      at = end;
      expecting = "colon";
    } else if (character === "]" && expecting === "firstItem") {
      at += 1;
      expecting = closed(open);
    } else if (character === "{" || character === "[") {
      open.push(character);
      at += 1;
      expecting = character === "{" ? "firstName" : "firstItem";
    } else {
      const end = endOfScalar(text, at);
      if (typeof end !== "number") return end;
      at = end;
      expecting = container === undefined ? "end" : "next";
    }
  }
}

function closed(open: ("{" | "[")[]): Expecting {
  open.pop();
  return open.length === 0 ? "end" : "next";
}

function expectedName(character: string): string {
  const name = "a name in double quotes";
  return character === "}" ? `${name} behind the comma` : name;
}

/** The position behind a string, a number or a literal. */
function endOfScalar(text: string, at: number): number | Wrong {
  if (text.charAt(at) === '"') return endOfString(text, at);
  const word = match(WORD, text, at);
  if (word !== null) {
    const isLiteral = ["true", "false", "null"].includes(text.slice(at, Math.min(word, at + 6)));
    return isLiteral ? word : { at, expected: "a JSON value (a string needs double quotes)" };
  }
  const number = match(NUMBER, text, at);
  if (number !== null && number > at) return number;
  return { at, expected: text.charAt(at) === "'" ? "double quotes" : "a JSON value" };
}

function endOfString(text: string, start: number): number | Wrong {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) {
      const end = endOfEscape(text, at);
      if (end === null) return { at, expected: "an escape that JSON knows behind the backslash" };
      at = end - 1;
    } else if (unit < SPACE_UNIT) {
      const expected = "the closing double quote of a string, or a line break written as \\n";
      return { at, expected };
    }
  }
  return { at: text.length, expected: "the closing double quote of a string" };
}

/** Null for an escape that JSON does not have. */
function endOfEscape(text: string, at: number): number | null {
  switch (text.charAt(at + 1)) {
    case '"':
    case "\\":
    case "/":
    case "b":
    case "f":
    case "n":
    case "r":
    case "t":
      return at + 2;
    case "u":
      return match(FOUR_DIGITS, text, at + 2);
    default:
      return null;
  }
}

/** The position behind the match of a sticky pattern at `at`, or null. */
function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
