// Sentences of a text that is still being written, as they are said: without code blocks and marks of Markdown.
import { graphemeStart } from "./graphemes.ts";
import {
  FIRST_CLAUSE_CHARACTERS,
  MAX_CLOSING_CHARACTERS,
  MAX_FIRST_CHARACTERS,
  MAX_SENTENCE_CHARACTERS,
} from "./limits.ts";
import { speakable } from "./speakable.ts";

/** A piece of a text. The pieces follow each other without a gap: together they are the whole text. */
export interface Sentence {
  /** Its first character, and the one behind its last, in UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  /** The text that is said of it; empty for code. */
  readonly text: string;
}

const WIDE_END = /[。？！｡]/;
const END = /[.?!…。？！｡]/;
const CLOSING = /["'”’»)\]}*_`」』）】》.?!…。？！｡]/;
const CLAUSE = /[,;:—]/;
const WIDE_CLAUSE = /[，、；：]/;
const SPACE = /\s/;
const SAYABLE = /[\p{L}\p{N}\p{So}\p{Sc}]/u;
/** The number of an item of a list: its point ends no sentence. */
const LIST_NUMBER = /(?:^|\n)[ \t]*\d+$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The beginning of a line of which it is not known whether it is a fence. */
const MAYBE_FENCE = /^ {0,3}(?:`{0,2}|~{0,2})$/;
/** Characters of a line within which its fence begins and has three marks. */
const FENCE_CHARACTERS = 6;

/** The place to which a character leads: the end of a piece, or further on; "wait" if that depends on text that has not come. */
type Place = { readonly end: number; readonly isCode?: true } | { readonly next: number } | "wait";

interface Fence {
  /** Its marks, of which the end has at least as many. */
  readonly marks: string;
  /** The line that opens it has not been read. */
  readonly isNew: boolean;
}

/** Cuts a text. However its deltas are cut, the sentences are the same. */
export class SentenceCutter {
  readonly #maxCharacters: number;
  /** The text that no sentence has yet, and where it begins in the whole. */
  #rest = "";
  #start = 0;
  /** Characters of `#rest` in which no piece ends. */
  #read = 0;
  /** The fence of the code block that is open. */
  #fence: Fence | null = null;
  #isFirst = true;
  #isLineStart = true;

  /** @param maxCharacters Of one piece, in UTF-16 units. */
  constructor(maxCharacters: number = MAX_SENTENCE_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** The sentences that are over with this delta. */
  push(delta: string): readonly Sentence[] {
    this.#rest += delta;
    return this.#cut(false);
  }

  /** The sentences of the rest: no text follows. */
  end(): readonly Sentence[] {
    const sentences = this.#cut(true);
    return this.#rest === "" ? sentences : [...sentences, this.#take(this.#rest.length, false)];
  }

  #cut(isOver: boolean): readonly Sentence[] {
    const sentences: Sentence[] = [];
    for (;;) {
      const place = this.#fence ? this.#readCode(this.#fence, isOver) : this.#readText(isOver);
      if (place === "wait") return sentences;
      if ("next" in place) this.#read = place.next;
      else sentences.push(this.#take(place.end, place.isCode ?? false));
    }
  }

  #readText(isOver: boolean): Place {
    const [rest, at] = [this.#rest, this.#read];
    if (at >= rest.length) return "wait";
    if (at === 0 ? this.#isLineStart : rest[at - 1] === "\n") {
      const line = rest.slice(at, at + FENCE_CHARACTERS);
      if (!isOver && MAYBE_FENCE.test(line)) return "wait";
      if (FENCE.test(line)) return this.#enterCode();
    }
    const place = this.#placeAt(at, isOver);
    if (place === "wait" || ("end" in place && this.#isSaid(place.end))) return place;
    const next = "end" in place ? place.end : place.next;
    return next < this.#longest ? { next } : this.#cutLong(isOver);
  }

  get #longest(): number {
    return this.#isFirst
      ? Math.min(MAX_FIRST_CHARACTERS, this.#maxCharacters)
      : this.#maxCharacters;
  }

  #placeAt(at: number, isOver: boolean): Place {
    const rest = this.#rest;
    const character = rest[at] ?? "";
    if (character === "\n") return { end: at + 1 };
    if (END.test(character)) {
      let end = at + 1;
      const last = end + MAX_CLOSING_CHARACTERS;
      while (end < last && end < rest.length && CLOSING.test(rest[end] ?? "")) end += 1;
      if (end === rest.length && !isOver && end < last) return "wait";
      if (WIDE_END.test(character)) return { end };
      if (end < rest.length && !SPACE.test(rest[end] ?? "")) return { next: end };
      const isNumber = character === "." && LIST_NUMBER.test(rest.slice(0, at));
      return isNumber ? { next: end } : { end };
    }
    if (!this.#isFirst || at + 1 < FIRST_CLAUSE_CHARACTERS) return { next: at + 1 };
    if (WIDE_CLAUSE.test(character)) return { end: at + 1 };
    if (!CLAUSE.test(character)) return { next: at + 1 };
    if (at + 1 === rest.length && !isOver) return "wait";
    return SPACE.test(rest[at + 1] ?? " ") ? { end: at + 1 } : { next: at + 1 };
  }

  /** Whether something of the text up to here is said; what is not belongs to the next piece. */
  #isSaid(end: number): boolean {
    return SAYABLE.test(speakable(this.#rest.slice(0, end)));
  }

  /** A sentence that is too long is cut behind a space, or else behind a grapheme. */
  #cutLong(isOver: boolean): Place {
    const longest = this.#longest;
    // The grapheme at the cut has to be known.
    if (this.#rest.length < longest + MAX_CLOSING_CHARACTERS && !isOver) return "wait";
    if (this.#rest.length <= longest) return { next: this.#rest.length };
    let end = longest;
    while (end > 0 && !SPACE.test(this.#rest[end - 1] ?? "")) end -= 1;
    return { end: end > 0 ? end : graphemeStart(this.#rest, longest) || longest };
  }

  /** Text before the code block is a piece. */
  #enterCode(): Place {
    if (this.#read > 0) return { end: this.#read };
    const marks = FENCE.exec(this.#rest)?.[1];
    if (marks !== undefined) this.#fence = { marks, isNew: true };
    return { next: 0 };
  }

  /** Each line of a code block is a piece of which nothing is said. */
  #readCode({ marks, isNew }: Fence, isOver: boolean): Place {
    const rest = this.#rest;
    const lineEnd = rest.indexOf("\n", this.#read);
    if (lineEnd === -1) {
      this.#read = rest.length;
      return isOver && rest !== "" ? { end: rest.length, isCode: true } : "wait";
    }
    const line = rest.slice(0, lineEnd).trim();
    const isEnd = !isNew && line.startsWith(marks) && line === marks.charAt(0).repeat(line.length);
    this.#fence = isEnd ? null : { marks, isNew: false };
    return { end: lineEnd + 1, isCode: true };
  }

  #take(length: number, isCode: boolean): Sentence {
    const piece = this.#rest.slice(0, length);
    const said = isCode ? "" : speakable(piece);
    const text = SAYABLE.test(said) ? said : "";
    const sentence = { start: this.#start, end: this.#start + length, text };
    this.#rest = this.#rest.slice(length);
    this.#start += length;
    this.#read = 0;
    this.#isLineStart = piece.endsWith("\n");
    if (text !== "") this.#isFirst = false;
    return sentence;
  }
}
