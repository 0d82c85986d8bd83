// Terms of texts and of searches. The index and the search take a text apart in the same way, so that what one writes the
// other finds; the index itself compares terms, and knows no language. Pure.
import { MAX_TERM_CHARACTERS } from "./limits.ts";

/** Letters with the marks on them, digits, or one picture. */
const TERM = /[\p{L}\p{M}\p{N}]+|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu;
/** Invisible characters: joiners, hyphens of line breaks, directions, and selectors of a picture's form. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f]+/gu;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** Accents where a reader takes the letter for the same without. In other scripts marks are vowels. */
const ACCENTS =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu;
/** Scripts without spaces between words, and Korean, whose particles are written to the word before them. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

/** A run of characters that belong together, and whether it is of a script without spaces. */
export interface Run {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/**
 * The terms of a text, in its order. A run of a script without spaces has a term for each of its characters, of it and
 * the next one: two characters are found wherever they stand.
 */
export function termsOf(text: string): readonly string[] {
  return runsOf(text).flatMap((run) => (run.isUnspaced ? pairsOf(run.text) : [run.text]));
}

/** Terms that follow each other, the last of which may go on where `isPrefix` is set. */
export interface Phrase {
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * The terms of a word: all that is looked for with it, in their order.
 * @param isLast It may still be typed. @returns null for a word without letters, digits and pictures.
 */
export function phraseOf(word: string, isLast: boolean): Phrase | null {
  const runs = runsOf(word);
  const last = runs.at(-1);
  if (!last) return null;
  const before = runs
    .slice(0, -1)
    .flatMap((run) => (run.isUnspaced ? pairsOf(run.text) : [run.text]));
  if (!last.isUnspaced) return { terms: [...before, last.text], isPrefix: isLast };
  const pairs = pairsOf(last.text);
  // The last character may have any other behind it: as a pair it is left out, alone it begins one.
  if (pairs.length === 1) return { terms: [...before, ...pairs], isPrefix: true };
  return { terms: [...before, ...pairs.slice(0, -1)], isPrefix: false };
}

/** The runs of a text, in the form in which texts are compared. */
export function runsOf(text: string): readonly Run[] {
  return (normalized(text).match(TERM) ?? []).flatMap(splitByScript);
}

/** The form in which texts are compared: one width, no case, no accents. */
function normalized(text: string): string {
  const plain = text
    .replace(LONE_SURROGATES, " ")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toLowerCase();
  return plain.normalize("NFD").replace(ACCENTS, "$1").normalize("NFC");
}

function splitByScript(term: string): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const { index, 0: text } of term.matchAll(UNSPACED)) {
    if (index > from) runs.push(spaced(term.slice(from, index)));
    runs.push({ text, isUnspaced: true });
    from = index + text.length;
  }
  if (from < term.length) runs.push(spaced(term.slice(from)));
  return runs;
}

function spaced(text: string): Run {
  return { text: Array.from(text).slice(0, MAX_TERM_CHARACTERS).join(""), isUnspaced: false };
}

/** "ABC" as "AB", "BC", "C". */
export function pairsOf(text: string): readonly string[] {
  const characters = Array.from(text);
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}
