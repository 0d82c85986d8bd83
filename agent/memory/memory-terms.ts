// Terms of memories and of searches in them. The index and the search take a text apart in the same way. Pure.
import {
  MAX_PARTS_OF_A_WORD,
  MAX_SEARCHED_WORDS,
  MIN_COMPOUND_LETTERS,
  MIN_PART_LETTERS,
  MIN_PART_OFFSET,
  MIN_STEM_LETTERS,
} from "../../protocol/memory/limits.ts";
import { pairsOf, runsOf } from "../../protocol/search/search-terms.ts";

/** The columns of the index: SQLite's `unicode61` sees each term in them as a word. */
export interface MemoryTerms {
  /** Words of scripts with spaces, numbers, and pictures. */
  readonly plain: readonly string[];
  /** Overlapping pairs of characters of scripts without spaces, and each of these characters by itself. */
  readonly pairs: readonly string[];
  /** Ends of long words: a part of a German compound is the beginning of one of them. */
  readonly parts: readonly string[];
}

export function memoryTermsOf(text: string): MemoryTerms {
  const runs = runsOf(text);
  const plain = runs.flatMap((run) => (run.isUnspaced ? [] : [run.text]));
  const unspaced = runs.flatMap((run) => (run.isUnspaced ? [run.text] : []));
  const characters = new Set(unspaced.flatMap((run) => Array.from(run)));
  const pairs = unspaced.flatMap((run) => pairsOf(run).filter((pair) => !characters.has(pair)));
  return {
    plain,
    pairs: [...pairs, ...characters],
    parts: [...new Set(plain.flatMap(partsOf))],
  };
}

/** A form in which a word is looked for, in the language of SQLite's full-text search. */
interface SearchedForm {
  readonly match: string;
  /** Of 1: what a memory with this form counts. */
  readonly weight: number;
}

/** A word, or a pair of characters, of a search. */
export interface SearchedWord {
  readonly text: string;
  /** The exact form first. */
  readonly forms: readonly SearchedForm[];
}

/** Words that are in most texts of a language, and say nothing of what one is about. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "the a an and or of to in on at for from with by is are was were be been am do does did have has had i you he she it we they my your his her its our " +
    "their me him them this that these those what which who when where how why can could will would should shall may might not no yes so if as but please " +
    "der die das den dem des ein eine einen und oder von zu im am an auf fur mit bei ist sind war waren sein bin hat haben hatte ich du er sie es wir ihr " +
    "mein meine dein deine sein was wer wann wo wie warum kann nicht ja nein wenn als aber bitte le la les un une et ou de du des est el los las y o es en por con"
  ).split(" "),
);

/** The words of a search, {@link MAX_SEARCHED_WORDS} at most; none where there is nothing to look for. */
export function searchedWords(texts: readonly string[]): readonly SearchedWord[] {
  const words = new Map<string, { readonly word: SearchedWord; readonly rarity: number }>();
  for (const run of texts.flatMap(runsOf)) {
    if (run.isUnspaced) {
      for (const text of searchedPairs(run.text)) {
        words.set(text, {
          word: { text, forms: [form("pairs", text, 1)] },
          rarity: rarityOf(text),
        });
      }
    } else words.set(run.text, { word: plainWord(run.text), rarity: Array.from(run.text).length });
  }
  const all = Array.from(words.values());
  const telling = all.filter(({ word: { text } }) => !isCommon(text));
  return (telling.length > 0 ? telling : all)
    .sort((one, other) => other.rarity - one.rarity)
    .slice(0, MAX_SEARCHED_WORDS)
    .map(({ word }) => word);
}

/** Of a script without spaces: Hiragana alone, which is mostly grammar. */
function isCommon(text: string): boolean {
  return COMMON.has(text) || /^\p{Script=Hiragana}{2}$/u.test(text);
}

/** The last character is in the pair before it; alone it is looked for by itself. */
function searchedPairs(run: string): readonly string[] {
  const pairs = pairsOf(run);
  return pairs.length === 1 ? pairs : pairs.slice(0, -1);
}

function plainWord(text: string): SearchedWord {
  const { length } = Array.from(text);
  const forms = [form("plain", text, 1)];
  if (length >= MIN_STEM_LETTERS) forms.push(form("plain", stemOf(text), 0.7, true));
  if (length >= MIN_PART_LETTERS) forms.push(form("parts", text, 0.5, true));
  return { text, forms };
}

/** The beginning of a word without what most languages of Europe put behind it: "invoices", "Rechnungen". */
function stemOf(text: string): string {
  const letters = Array.from(text);
  const kept = Math.max(MIN_STEM_LETTERS, letters.length - (letters.length > 7 ? 2 : 1));
  return letters.slice(0, kept).join("");
}

/** "krankenversicherung": "nkenversicherung" … "erung". */
function partsOf(word: string): readonly string[] {
  const letters = Array.from(word);
  if (letters.length < MIN_COMPOUND_LETTERS) return [];
  const last = letters.length - MIN_PART_LETTERS;
  const parts: string[] = [];
  for (let from = last; from >= MIN_PART_OFFSET && parts.length < MAX_PARTS_OF_A_WORD; from -= 1) {
    parts.push(letters.slice(from).join(""));
  }
  return parts;
}

function form(
  column: keyof MemoryTerms,
  text: string,
  weight: number,
  isPrefix = false,
): SearchedForm {
  // Terms have letters, marks, digits and pictures alone.
  return { match: `${column} : "${text}"${isPrefix ? "*" : ""}`, weight };
}

/** As letters of a word: signs of Chinese and Katakana carry meaning, Hiragana mostly grammar. */
function rarityOf(pair: string): number {
  return /[\p{scx=Han}\p{scx=Katakana}\p{scx=Hangul}]/u.test(pair) ? 8 : 3;
}
