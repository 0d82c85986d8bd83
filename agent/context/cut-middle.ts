import { cutText } from "../json/split-text.ts";

/**
 * The beginning and the end of a text with a note between them that says how much is left out: a question stands at
 * either end of what it is about. A text that is short enough is returned as it is.
 * @param maxCharacters UTF-16 units, the note included.
 */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const kept = maxCharacters - noteOf(text.length).length;
  if (kept <= 0) return cutText(text, maxCharacters);
  const beginning = cutText(text, Math.floor(kept / 2));
  const rest = text.slice(text.length - Math.floor(kept / 2));
  // Half of a surrogate pair is no letter.
  const end = /^[\udc00-\udfff]/.test(rest) ? rest.slice(1) : rest;
  return `${beginning}${noteOf(text.length - beginning.length - end.length)}${end}`;
}

function noteOf(characters: number): string {
  return `\n<<<TRUNCATED>>> ${characters} characters in the middle of this message are left out here.\n`;
}
