import { MAX_SEARCH_WORDS } from "./limits.ts";
import { phraseOf, type Phrase } from "./search-terms.ts";

/** @returns why nothing can be found with this search, as a sentence; null when something can. */
export function searchProblem(search: string): string | null {
  if (wordsOf(search).length > MAX_SEARCH_WORDS) {
    return `a search has at most ${MAX_SEARCH_WORDS} words`;
  }
  return phrasesOf(search) === null
    ? "there is nothing to look for: a search needs a letter, a digit or a picture"
    : null;
}

/**
 * The words of a search: all of them, in any order. The parts of one word ("A-1007") follow each other, and the last
 * word may be the beginning of one.
 * @returns null when there is nothing to look for: no letter, digit or picture.
 */
export function phrasesOf(search: string): readonly Phrase[] | null {
  const words = wordsOf(search);
  // A space behind the last word ends it.
  const isTyped = !/\s$/u.test(search);
  const phrases = words.flatMap(
    (word, at) => phraseOf(word, isTyped && at === words.length - 1) ?? [],
  );
  return phrases.length === 0 ? null : phrases;
}

function wordsOf(search: string): readonly string[] {
  return search.split(/\s+/u).filter((word) => word !== "");
}

/** The phrases in the language of SQLite's full-text search: each in quotes, so that nothing in one is a word of it. */
export function toMatch(phrases: readonly Phrase[]): string {
  return phrases
    .map(({ terms, isPrefix }) => {
      return `"${terms.join(" ").replaceAll('"', '""')}"${isPrefix ? "*" : ""}`;
    })
    .join(" AND ");
}
