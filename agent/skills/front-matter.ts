// Reads the front matter of a SKILL.md. A small part of YAML is read: texts of one key each. Nothing is expanded, so what
// a text costs to read is its length.
import { MAX_FRONT_MATTER_CHARACTERS } from "../../protocol/skills/limits.ts";

export type FrontMatter =
  | {
      readonly ok: true;
      /** The texts at the top level, by key; keys with other values are missing. */
      readonly texts: ReadonlyMap<string, string>;
      /** UTF-16 units up to the end of the front matter, where the text begins. */
      readonly end: number;
    }
  | { readonly ok: false; readonly problem: string };

interface Line {
  readonly text: string;
  /** Counts from 1, as editors do. */
  readonly number: number;
}

/** A value that is read, or why it is not. Null for one that is no text. */
type Value = { readonly text: string | null } | { readonly problem: string };

const FENCE = /^---[ \t]*$/;
const KEY = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;

/** @param text Of the whole file. */
export function readFrontMatter(text: string): FrontMatter {
  const found = findFences(text);
  if ("problem" in found) return { ok: false, problem: found.problem };
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  const { lines, end } = found;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    index += 1;
    if (!line || isEmpty(line.text)) continue;
    const at = `line ${line.number} of the front matter`;
    const [, key, rest = ""] = KEY.exec(line.text) ?? [];
    if (key === undefined) return { ok: false, problem: `${at} is no \`key: value\`` };
    if (seen.has(key)) return { ok: false, problem: `${at} has the key ${key} again` };
    seen.add(key);
    const below: string[] = [];
    for (let next = lines[index]; next && isBelow(next.text); next = lines[index]) {
      below.push(next.text);
      index += 1;
    }
    const value = readValue(rest.trim(), below);
    if ("problem" in value) return { ok: false, problem: `${at}: ${value.problem}` };
    if (value.text !== null) texts.set(key, value.text);
  }
  return { ok: true, texts, end };
}

function findFences(
  text: string,
): { readonly lines: readonly Line[]; readonly end: number } | { readonly problem: string } {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const lines: Line[] = [];
  for (let offset = start, number = 1; ; number += 1) {
    const newline = text.indexOf("\n", offset);
    const end = newline === -1 ? text.length : newline;
    if (end - start > MAX_FRONT_MATTER_CHARACTERS)
      return {
        problem: `its front matter is longer than ${MAX_FRONT_MATTER_CHARACTERS} characters`,
      };
    const line = text.slice(offset, end).replace(/\r$/, "");
    const isFence = FENCE.test(line);
    if (number === 1 && !isFence)
      return { problem: "it does not begin with front matter, between two lines ---" };
    if (number > 1 && isFence) return { lines, end: Math.min(end + 1, text.length) };
    if (number > 1) lines.push({ text: line, number });
    if (newline === -1) return { problem: "its front matter has no line --- at its end" };
    offset = end + 1;
  }
}

function isEmpty(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

/** Whether the line continues with the value of the key above it. */
function isBelow(line: string): boolean {
  return line === "" || /^[ \t]/.test(line) || /^-[ \t]/.test(line);
}

function readValue(rest: string, below: readonly string[]): Value {
  switch (rest.charAt(0)) {
    case "|":
    case ">":
      return readBlock(rest, below);
    case '"':
      return readQuoted(rest, below, /^"((?:[^"\\]|\\.)*)"[ \t]*(?:[ \t]#.*)?$/, readEscapes);
    case "'":
      return readQuoted(rest, below, /^'((?:[^']|'')*)'[ \t]*(?:[ \t]#.*)?$/, (text) => ({
        text: text.replaceAll("''", "'"),
      }));
    case "&":
    case "*":
    case "!":
      return { problem: "anchors, aliases and tags are not read" };
    case "@":
    case "`":
    case "%":
      return { problem: `a text that begins with ${rest.charAt(0)} has to be quoted` };
    case "[":
    case "{":
      return { text: null };
    default:
      return readPlain(rest, below);
  }
}

/** A text without quotes; the lines below it continue with it. */
function readPlain(rest: string, below: readonly string[]): Value {
  const first = withoutComment(rest);
  const others = below.filter((line) => !isEmpty(line)).map((line) => withoutComment(line.trim()));
  // A mapping or a list below a key is of no interest.
  if (first === "" && others.some((line) => /^-(?:[ \t]|$)|:(?:[ \t]|$)/.test(line)))
    return { text: null };
  const text = [first, ...others].filter((line) => line !== "").join(" ");
  if (/:(?:[ \t]|$)/.test(text)) return { problem: 'a text with ": " in it has to be quoted' };
  return { text };
}

function withoutComment(text: string): string {
  if (text.startsWith("#")) return "";
  const comment = text.search(/[ \t]#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}

function readQuoted(
  rest: string,
  below: readonly string[],
  pattern: RegExp,
  unescape: (text: string) => Value,
): Value {
  const inside = pattern.exec(rest)?.[1];
  if (inside === undefined || below.some((line) => !isEmpty(line)))
    return { problem: "a quoted text begins and ends in one line" };
  return unescape(inside);
}

/** The escapes that JSON has, too. */
function readEscapes(text: string): Value {
  try {
    return { text: JSON.parse(`"${text.replaceAll("\t", "\\t")}"`) as string };
  } catch {
    return { problem: 'only escapes such as \\n, \\" and \\u00e9 are read' };
  }
}

/** The lines below `|` as they are; those below `>` joined to paragraphs. */
function readBlock(rest: string, below: readonly string[]): Value {
  const [, style] = /^([|>])[+-]?[ \t]*(?:#.*)?$/.exec(rest) ?? [];
  if (style === undefined) return { problem: "a block begins with |, >, |-, >-, |+ or >+ alone" };
  const [, indent = ""] = /^([ \t]*)\S/.exec(below.find((line) => line.trim() !== "") ?? "") ?? [];
  if (indent.includes("\t")) return { problem: "lines are indented with spaces" };
  const lines: string[] = [];
  for (const line of below) {
    if (line.trim() === "") lines.push("");
    else if (indent !== "" && line.startsWith(indent)) lines.push(line.slice(indent.length));
    else return { problem: "the lines of a block are indented alike" };
  }
  const text = lines.join("\n").trimEnd();
  return { text: style === "|" ? text : text.replace(/(\S)\n(?=\S)/g, "$1 ") };
}
