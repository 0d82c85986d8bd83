// The search of the documentation: over the index that the platform serves, in the reader's browser.

/** A section of a page, or a route of the API. */
export interface IndexedSection {
  /** The address, with the section's fragment. */
  readonly url: string;
  readonly page: string;
  readonly title: string;
  /** The beginning of its text. */
  readonly text: string;
  /** All its words in lower case, each once, between spaces. */
  readonly words: string;
}

/**
 * The sections that have every word of the query, or a word that begins with it, the best first: a word in a title
 * counts more than one in the text.
 */
export function findSections(
  sections: readonly IndexedSection[],
  query: string,
  limit: number,
): readonly IndexedSection[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const score = scoreOf(section, words);
    return score > 0 ? [{ section, score }] : [];
  });
  found.sort((one, other) => other.score - one.score);
  return found.slice(0, limit).map(({ section }) => section);
}

/** 0 when a word is missing. */
function scoreOf({ page, title, words }: IndexedSection, query: readonly string[]): number {
  let score = 0;
  for (const word of query) {
    if (hasWord(title, word)) score += 10;
    else if (hasWord(page, word)) score += 4;
    else if (words.includes(` ${word} `)) score += 2;
    else if (words.includes(` ${word}`)) score += 1;
    else return 0;
  }
  return score;
}

function hasWord(text: string, word: string): boolean {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).some((one) => one.startsWith(word));
}
