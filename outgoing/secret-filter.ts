// Answers of servers without the secrets that were sent to them, before a model, a log or a person has them.
import { secretForms, withoutForms } from "./secret-forms.ts";

/** One answer, whose text comes in pieces. */
export class SecretFilter {
  readonly #forms: readonly string[];
  /** The end of the text so far that a secret may begin with. */
  #held = "";

  constructor(secrets: readonly string[]) {
    this.#forms = secretForms(secrets);
  }

  /** The part of the text up to this piece that may be told. */
  read(piece: string): string {
    if (this.#forms.length === 0) return piece;
    const text = withoutForms(this.#held + piece, this.#forms);
    const begun = Math.max(...this.#forms.map((form) => beginningAtEnd(text, form)));
    this.#held = text.slice(text.length - begun);
    return text.slice(0, text.length - begun);
  }

  /** The part at the end of the text that was withheld. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** A text that is whole. */
  whole(text: string): string {
    return withoutForms(text, this.#forms);
  }

  /** The beginning of a text, without what a secret may begin with where it was cut. */
  beginning(text: string): string {
    const shown = this.whole(text);
    const begun = Math.max(0, ...this.#forms.map((form) => beginningAtEnd(shown, form)));
    return shown.slice(0, shown.length - begun);
  }

  /** A value of JSON, with the names of its members. */
  value<Value>(value: Value): Value {
    return this.#forms.length === 0 ? value : (this.#inside(value) as Value);
  }

  #inside(value: unknown): unknown {
    if (typeof value === "string") return this.whole(value);
    if (Array.isArray(value)) return value.map((one: unknown) => this.#inside(one));
    if (typeof value !== "object" || value === null || !isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.whole(name), this.#inside(one)]),
    );
  }
}

/** Not a number that keeps its text: it is no object to code that copies members. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) !== null;
}

/** Counts the characters at the end of the text that are the beginning of the form. */
function beginningAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
