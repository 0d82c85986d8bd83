// A search by words. Each form of a word reads the newest memories that have it, up to a bound, so that a word that all
// memories have costs no more than a rare one; common words are looked for together, too.
import { scoreFound, withLengths, type FoundWord } from "../../agent/memory/rank-memories.ts";
import type { SearchedWord } from "../../agent/memory/memory-terms.ts";
import {
  MAX_COMMON_WORDS,
  MAX_LOOSE_WORDS,
  MEMORIES_OF_A_WORD,
  RANKED_CANDIDATES,
} from "../../protocol/memory/limits.ts";

interface WordSearch {
  /** The best first. */
  readonly places: readonly number[];
  /** Rows that were read from the index. */
  readonly candidates: number;
}

/** @param words The rarest first. @param total Memories of the store. */
export function searchByWords(
  sql: SqlStorage,
  words: readonly SearchedWord[],
  total: number,
): WordSearch {
  const found: FoundWord[] = [];
  const common: string[] = [];
  for (const [word, { forms }] of words.entries()) {
    for (const [index, { match, weight }] of forms.entries()) {
      if (index > 0 && word >= MAX_LOOSE_WORDS) break;
      const places = matching(sql, match);
      found.push({ word, weight, places });
      if (places.length < MEMORIES_OF_A_WORD) continue;
      if (index === 0) common.push(match);
      // The looser forms of a common word find what the exact one has not, and that says less.
      break;
    }
  }
  const together = togetherOf(common.slice(0, MAX_COMMON_WORDS)).map((match) =>
    matching(sql, match),
  );
  const scored = scoreFound(found, together, total).slice(0, RANKED_CANDIDATES);
  const rows = sql
    .exec<{ place: number; terms: number }>(
      "SELECT place, terms FROM memories WHERE place IN (SELECT value FROM json_each(?))",
      JSON.stringify(scored.map(([place]) => place)),
    )
    .toArray();
  const terms = new Map(rows.map((row) => [row.place, row.terms]));
  return {
    places: withLengths(scored, terms),
    candidates: [...found.map(({ places }) => places), ...together].reduce(
      (all, places) => all + places.length,
      rows.length,
    ),
  };
}

/** All of them, and each with the next one. */
function togetherOf(common: readonly string[]): readonly string[] {
  if (common.length < 2) return [];
  const pairs = common.slice(1).map((match, index) => `(${common[index]}) AND (${match})`);
  return common.length === 2 ? pairs : [common.map((one) => `(${one})`).join(" AND "), ...pairs];
}

function matching(sql: SqlStorage, match: string): readonly number[] {
  return sql
    .exec<{ rowid: number }>(
      "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
      match,
      MEMORIES_OF_A_WORD,
    )
    .toArray()
    .map(({ rowid }) => rowid);
}
