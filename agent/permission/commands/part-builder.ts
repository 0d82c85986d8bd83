// Collects the words and redirections of one part while it is parsed.
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
  /** Whether other commands are nested in it, whose source its own would include. */
  hasNested = false;

  constructor(start: number, isPiped: boolean) {
    this.#start = start;
    this.#isPiped = isPiped;
  }

  /** The current word, or null between words. */
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

  /** Whether the current word consists of unquoted digits. */
  get isNumber(): boolean {
    return this.#text !== null && !this.#isUnknown && /^\d+$/.test(this.#text);
  }

  dropWord(): void {
    this.#text = null;
  }

  /** Begins a redirection, whose target is the next word. */
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

  /** The finished part, which ends before `end`; null when it is empty. */
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
