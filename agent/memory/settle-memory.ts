// Decides about a new memory beside those that say something similar, before it is written. Pure.
import { comparableWords, isNegation, joinWords, type Word } from "./comparable-text.ts";
import { isSingleValue } from "./single-values.ts";

interface KnownMemory {
  readonly id: string;
  readonly content: string;
}

/** `duplicate`: a memory says this already. `supersedes`: a memory says otherwise, or less. */
export type Settled =
  | { readonly kind: "new" }
  | { readonly kind: "duplicate"; readonly id: string }
  | { readonly kind: "supersedes"; readonly id: string };

/** Words of a value at most; longer ones are statements of their own. */
const MAX_VALUE_WORDS = 12;
/** Words from which on a statement that is part of another one says the same. */
const MIN_PART_WORDS = 3;

/** @param similar The most similar first. */
export function settleMemory(content: string, similar: readonly KnownMemory[]): Settled {
  const words = comparableWords(content);
  const known = similar.map((one) => ({ ...one, words: comparableWords(one.content) }));
  const duplicate = known.find((one) => saysAlready(one, { content, words }));
  if (duplicate) return { kind: "duplicate", id: duplicate.id };
  const outdated = known.find((one) => isOutdated(one.words, words));
  return outdated ? { kind: "supersedes", id: outdated.id } : { kind: "new" };
}

interface Statement {
  readonly content: string;
  readonly words: readonly Word[];
}

function saysAlready(known: Statement, { content, words }: Statement): boolean {
  // Punctuation alone, such as "!!!": there is nothing to compare but the text.
  if (words.length === 0) return known.content === content;
  if (joinWords(known.words) === joinWords(words)) return true;
  const rest = restAround(known.words, words);
  return words.length >= MIN_PART_WORDS && rest !== null && !rest.some(isNegation);
}

/** Whether the new words say otherwise than the known ones, or the same and more. */
function isOutdated(known: readonly Word[], words: readonly Word[]): boolean {
  if (known.length === 0) return false;
  if (known.length >= MIN_PART_WORDS && restAround(words, known) !== null) return true;
  return isOpposite(known, words) || hasOtherValue(known, words);
}

/** The rest of a text beside a part of it; null where it does not have the part. */
function restAround(whole: readonly Word[], part: readonly Word[]): readonly Word[] | null {
  const from = placeOf(part, whole);
  return from === -1 ? null : [...whole.slice(0, from), ...whole.slice(from + part.length)];
}

/**
 * The first place of a part in a text; -1 for none. By Knuth, Morris and Pratt, in linear time: a text may repeat a sign
 * thousands of times.
 */
function placeOf(part: readonly Word[], whole: readonly Word[]): number {
  if (part.length === 0) return 0;
  const borders = [0];
  for (const { text } of part.slice(1)) {
    borders.push(matchedWith(text, borders.at(-1) ?? 0, { part, borders }));
  }
  let matched = 0;
  for (const [at, { text }] of whole.entries()) {
    matched = matchedWith(text, matched, { part, borders });
    if (matched === part.length) return at + 1 - matched;
  }
  return -1;
}

/** So many words of the part end with this one, where so many did before it. */
function matchedWith(
  text: string,
  before: number,
  { part, borders }: { readonly part: readonly Word[]; readonly borders: readonly number[] },
): number {
  let matched = before;
  while (matched > 0 && part[matched]?.text !== text) matched = borders[matched - 1] ?? 0;
  return part[matched]?.text === text ? matched + 1 : 0;
}

function isOpposite(known: readonly Word[], words: readonly Word[]): boolean {
  const [before, after] = [known, words].map((all) =>
    joinWords(all.filter((word) => !isNegation(word))),
  );
  return known.some(isNegation) !== words.some(isNegation) && before !== "" && before === after;
}

function hasOtherValue(known: readonly Word[], words: readonly Word[]): boolean {
  const shorter = Math.min(known.length, words.length);
  let begin = 0;
  while (begin < shorter && known[begin]?.text === words[begin]?.text) begin += 1;
  let end = 0;
  while (end < shorter - begin && known.at(-1 - end)?.text === words.at(-1 - end)?.text) end += 1;
  const [old, value] = [known, words].map((all) => all.length - begin - end);
  if (!old || !value || Math.max(old, value) > MAX_VALUE_WORDS) return false;
  const before = joinWords(words.slice(0, begin));
  const after = joinWords(words.slice(words.length - end));
  return isSingleValue(before, after);
}
