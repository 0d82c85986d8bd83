import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { SkillExcerpt } from "../skill-library.ts";

interface WantedLines {
  /** Counts from 1. */
  readonly line: number;
  readonly lines: number;
  /** Bytes that the excerpt may have. */
  readonly bytes: number;
}

/**
 * Lines of a text, with their ends. Of one that is longer than the room a part; beyond the last line nothing.
 * @param text The whole file.
 */
export function sliceLines(text: string, { line, lines, bytes }: WantedLines): SkillExcerpt {
  const start = startOfLine(text, 0, line - 1);
  const end = lines === Infinity ? text.length : startOfLine(text, start, lines);
  const offset = utf8Bytes(text.slice(0, start));
  const excerpt = cutToBytes(text.slice(start, end), bytes);
  return { text: excerpt, offset, end: offset + utf8Bytes(excerpt) };
}

/** The start of the line that is `count` lines behind the one at `from`; the end of the text when there is none. */
function startOfLine(text: string, from: number, count: number): number {
  let start = from;
  for (let passed = 0; passed < count; passed += 1) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) return text.length;
    start = newline + 1;
  }
  return start;
}

/** As many whole characters from the beginning as fit. */
function cutToBytes(text: string, bytes: number): string {
  if (utf8Bytes(text) <= bytes) return text;
  let length = 0;
  let used = 0;
  for (const character of text) {
    used += utf8Bytes(character);
    if (used > bytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
