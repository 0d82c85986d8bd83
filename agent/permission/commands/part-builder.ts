// Collects the words and redirections of one part while it is read.
import type { CommandPart, CommandWord, Redirect } from "./command-part.ts";

export class PartBuilder {
  readonly #words: CommandWord[] = [];
  readonly #redirects: Redirect[] = [];
  #text: string | null = null;
  #isUnknown = false;
  #hasWildcard = false;
  #operator: string | null = null;
  readonly #start: number;
  readonly #isPiped: boolean;
  /** Its source would hold the source of other parts. */
  hasNested = false;

  constructor(start: number, isPiped: boolean) {
    this.#start = start;
    this.#isPiped = isPiped;
  }

  /** The word under way, or null between words. */
  get text(): string | null {
    return this.#text;
  }

  get wordCount(): number {
    return this.#words.length;
  }

  append(text: string): void {
    this.#text = (this.#text ?? "") + text;
  }

  markUnknown(): void {
    this.append("");
    this.#isUnknown = true;
  }

  markWildcard(): void {
    this.#hasWildcard = true;
  }

  /** Whether the word under way is nothing but plain digits. */
  get isNumber(): boolean {
    return this.#text !== null && !this.#isUnknown && /^\d+$/.test(this.#text);
  }

  dropWord(): void {
    this.#text = null;
  }

  /** The next word is its target. */
  redirect(operator: string): void {
    this.#operator = operator;
  }

  endWord(): void {
    if (this.#text === null) return;
    const word = { text: this.#text, isUnknown: this.#isUnknown, hasWildcard: this.#hasWildcard };
    if (this.#operator === null) this.#words.push(word);
    else this.#redirects.push({ operator: this.#operator, target: word });
    this.#operator = null;
    this.#text = null;
    this.#isUnknown = false;
    this.#hasWildcard = false;
  }

  /** Null for nothing at all. The part ends before `end`. */
  finish(text: string, end: number): CommandPart | null {
    this.endWord();
    if (this.#words.length === 0 && this.#redirects.length === 0) return null;
    return {
      words: this.#words,
      redirects: this.#redirects,
      source: this.hasNested ? "" : text.slice(this.#start, end).trim(),
      isPiped: this.#isPiped,
    };
  }
}
