// The words that stand in lists for a session without a title.
import { MAX_OPENING_CHARACTERS } from "../search/limits.ts";
import { DERIVED_TITLE_CHARACTERS } from "./limits.ts";

const ROLE = /"role":"(\w+)"/;
/** Texts of blocks. A quote inside a value is escaped in JSON, so that no value looks like one. */
const TEXT = new RegExp(`"text":"((?:[^"\\\\]|\\\\.){0,${MAX_OPENING_CHARACTERS}})`, "g");
const CUT_OFF_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;
/** Line breaks, control characters, halves of surrogate pairs, and what turns the direction of the text behind it. */
const NO_WORDS = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * The first words of a user's message, in one line.
 * @param head The beginning of the message's JSON, which may be cut off anywhere.
 * @returns null for another's message, and where no text is in it.
 */
export function firstWordsOf(head: string): string | null {
  const words = openingOf(head);
  return words === null ? null : cut(words);
}

/** As {@link firstWordsOf}, but the beginning of the message and not a line of it: {@link MAX_OPENING_CHARACTERS}. */
export function openingOf(head: string): string | null {
  if (ROLE.exec(head)?.[1] !== "user") return null;
  for (const [, escaped = ""] of head.matchAll(TEXT)) {
    const words = unescape(escaped).replace(NO_WORDS, " ").trim();
    if (words !== "") return words;
  }
  return null;
}

function unescape(text: string): string {
  for (const whole of [text, text.replace(CUT_OFF_ESCAPE, "")]) {
    try {
      return JSON.parse(`"${whole}"`) as string;
    } catch {
      continue;
    }
  }
  return "";
}

/** At the end of a word, where the last one is not most of the text. */
function cut(words: string): string {
  const characters = Array.from(words);
  if (characters.length <= DERIVED_TITLE_CHARACTERS) return words;
  const start = characters.slice(0, DERIVED_TITLE_CHARACTERS - 1).join("");
  const end = start.lastIndexOf(" ");
  return `${(end > start.length / 2 ? start.slice(0, end) : start).trimEnd()}…`;
}
