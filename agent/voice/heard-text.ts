// Text that was heard: which characters of a text belong to which milliseconds of its audio.
import { graphemeStart } from "./graphemes.ts";
import { MAX_MARKS, UNKNOWN_CHARACTER_MS, WHOLE_AUDIO_MS } from "./limits.ts";

/** The text from this character on is heard from this millisecond of the audio on. Both only grow. */
export interface Mark {
  readonly characters: number;
  readonly ms: number;
}

/** A text as far as it has come, with its audio. */
export interface SpokenText {
  readonly marks: readonly Mark[];
  /** Characters and milliseconds so far. */
  readonly characters: number;
  readonly ms: number;
  /** Nothing of it follows. */
  readonly isDone: boolean;
}

/**
 * The marks with one more.
 * @param isExact The text before it is heard before it, as in a cascade. Otherwise texts that came at the same time share the
 *   audio that follows: a provider's transcript may be ahead of its audio.
 */
export function withMark(marks: readonly Mark[], mark: Mark, isExact: boolean): readonly Mark[] {
  const last = marks.at(-1);
  if (!last) return [mark];
  if (mark.characters <= last.characters || mark.ms < last.ms) return marks;
  if (mark.ms === last.ms) return isExact ? [...marks.slice(0, -1), mark] : marks;
  // Between marks the text is taken to be spoken evenly, so that half of them still say nearly the same.
  const kept = marks.length < MAX_MARKS ? marks : marks.filter((_, index) => index % 2 === 0);
  return [...kept, mark];
}

/** The number of characters that have been heard when so much has been played. */
export function heardCharacters(spoken: SpokenText, playedMs: number): number {
  const { marks, characters, ms, isDone } = spoken;
  if (isDone && playedMs > 0 && playedMs >= ms - WHOLE_AUDIO_MS) return characters;
  const next = marks.findIndex((mark, index) => index > 0 && mark.ms > playedMs);
  const place = (next === -1 ? marks.length : next) - 1;
  const before = marks[place];
  if (!before) return 0;
  // A transcript that began late is of the audio before it, too.
  const fromMs = place === 0 ? 0 : before.ms;
  const end = marks[next] ?? { characters, ms };
  const length = end.characters - before.characters;
  // Of a text whose audio has not come to its end, more is written than is heard.
  const isOpen = next === -1 && !isDone;
  const least = isOpen ? length * UNKNOWN_CHARACTER_MS : 0;
  const duration = Math.max(end.ms - fromMs, least);
  const part = duration > 0 ? Math.min(1, (playedMs - fromMs) / duration) : 0;
  return before.characters + Math.floor(length * part);
}

/** Scripts without spaces between words, and emoji: each character is a place to cut at. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}]/u;
const ONLY_PUNCTUATION = /^[^\p{L}\p{N}\p{M}\p{S}\s]*(?:\s|$)/u;

/** The text up to the last whole word within so many characters. */
export function cutAtWord(text: string, characters: number): string {
  if (characters >= text.length) return text;
  let end = graphemeStart(text, Math.max(0, Math.floor(characters)));
  while (end > 0 && !isWordEnd(text, end)) end = graphemeStart(text, end - 1);
  return text.slice(0, end).trimEnd();
}

/** Whether a word ends before the index, where a grapheme begins. */
function isWordEnd(text: string, index: number): boolean {
  const next = String.fromCodePoint(text.codePointAt(index) ?? 0);
  const previous = text.slice(graphemeStart(text, index - 1), index);
  return (
    /^\s/.test(next) ||
    /\s$/.test(previous) ||
    UNSPACED.test(next) ||
    UNSPACED.test(previous) ||
    ONLY_PUNCTUATION.test(text.slice(index, index + 32))
  );
}
