// The part of a Markdown text that is said aloud.

const IMAGE = /!\[([^\]\n]*)\]\([^)\n]*\)/g;
const LINK = /\[([^\]\n]*)\]\([^)\n]*\)/g;
const ADDRESS = /<((?:https?:\/\/|mailto:)[^>\s]+)>/g;
const RULE = /^[ \t]*(?:[-*_][ \t]*){3,}$/gm;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$/gm;
const LINE_MARK = /^[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/gm;
const STRONG = /\*{2,}|~~+|`+/g;
/** An asterisk or an underscore at the edge of a word; one between spaces, or within a word, is said. */
const EMPHASIS = /(?<![\p{L}\p{N}])[*_]+(?=\S)|(?<=\S)[*_]+(?![\p{L}\p{N}])/gu;
const ROW_EDGE = /^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm;
const CELL = /[ \t]*\|[ \t]*/g;
const SPACES = /\s+/g;

/** The text without marks of Markdown, on one line. */
export function speakable(text: string): string {
  return text
    .replace(RULE, " ")
    .replace(TABLE_RULE, " ")
    .replace(IMAGE, "$1")
    .replace(LINK, "$1")
    .replace(ADDRESS, "$1")
    .replace(LINE_MARK, "")
    .replace(STRONG, "")
    .replace(EMPHASIS, "")
    .replace(ROW_EDGE, " ")
    .replace(CELL, ", ")
    .replace(SPACES, " ")
    .trim();
}
