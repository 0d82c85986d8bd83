// The order of what a search has found: rare words count more than common ones, an exact word more than a part of one, and a
// short memory more than a long one that has the same words. Pure.
import { MEMORIES_OF_A_WORD } from "../../protocol/memory/limits.ts";

/** The memories that have a word of a search in one form, by their places. */
export interface FoundWord {
  /** The number of the word in the search; forms of one word count once, by the best. */
  readonly word: number;
  readonly weight: number;
  /** The newest first; of a common word the newest alone. */
  readonly places: readonly number[];
}

/** Of places with common words together: what each of the words counts, since the word alone says little. */
const TOGETHER = 2;

/** @param total Memories of the store. @returns places with their scores, the best first. */
export function scoreFound(
  found: readonly FoundWord[],
  together: readonly (readonly number[])[],
  total: number,
): readonly (readonly [place: number, score: number])[] {
  const scores = new Map<number, Map<number, number>>();
  for (const { word, weight, places } of found) {
    const value = weight * rarity(places.length, total);
    for (const place of places) {
      const words = scores.get(place) ?? new Map<number, number>();
      words.set(word, Math.max(words.get(word) ?? 0, value));
      scores.set(place, words);
    }
  }
  const sums = new Map<number, number>();
  for (const [place, words] of scores) sums.set(place, sum(words.values()));
  const common = rarity(MEMORIES_OF_A_WORD, total);
  for (const places of together) {
    for (const place of places) sums.set(place, (sums.get(place) ?? 0) + TOGETHER * common);
  }
  return sorted([...sums]);
}

/** @param terms The number of terms of each place's memory. */
export function withLengths(
  scored: readonly (readonly [place: number, score: number])[],
  terms: ReadonlyMap<number, number>,
): readonly number[] {
  const weighed = scored.map(([place, score]) => {
    const length = terms.get(place) ?? 0;
    return [place, score / (1 + 0.15 * Math.log(1 + length / 8))] as const;
  });
  return sorted(weighed).map(([place]) => place);
}

/** One order of several: each place counts by its ranks, whatever the scores of the orders are (reciprocal rank fusion). */
export function mergeRanks(orders: readonly (readonly number[])[]): readonly number[] {
  if (orders.length === 1) return orders[0] ?? [];
  const sums = new Map<number, number>();
  for (const order of orders) {
    for (const [rank, place] of order.entries()) {
      sums.set(place, (sums.get(place) ?? 0) + 1 / (RANK_CONSTANT + rank));
    }
  }
  return sorted([...sums]).map(([place]) => place);
}

/** As in the paper on reciprocal rank fusion: the first ranks are not everything. */
const RANK_CONSTANT = 60;

function rarity(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5));
}

/** The higher score first; of equal ones the newer place. */
function sorted(
  scored: readonly (readonly [place: number, score: number])[],
): readonly (readonly [place: number, score: number])[] {
  return [...scored].sort(
    ([place, score], [otherPlace, otherScore]) => otherScore - score || otherPlace - place,
  );
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}
