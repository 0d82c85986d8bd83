// One output item of a response, and what was told of it so far.
import { MAX_TURN_BLOCKS } from "../../../protocol/models/limits.ts";
import type { JsonFields } from "../../stream/json-fields.ts";
import { SaidText } from "../../stream/said-text.ts";

interface Part {
  readonly said: SaidText;
  isClosed: boolean;
}

/** Parts of an item, by their index. One without an index is the open one, or follows the last. */
class ItemParts {
  readonly #parts = new Map<number, Part>();
  #last = 0;

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /** The part that more words belong to. */
  open(index: number | undefined): Part {
    const isNext = index === undefined && (this.#parts.get(this.#last)?.isClosed ?? false);
    return this.#at(index ?? this.#last + (isNext ? 1 : 0));
  }

  /** The part whose text is whole, and what of the text was not said. */
  close(index: number | undefined, text: string): readonly [Part, string] {
    const part = this.#at(index ?? this.#last);
    const rest = part.said.restOf(text);
    // The text of a part is told in several events.
    const isNext = index === undefined && part.isClosed && rest !== "";
    const closed = isNext ? this.#at(this.#last + 1) : part;
    closed.isClosed = true;
    // Words twice are worse than none.
    return [closed, isNext ? text : (rest ?? "")];
  }

  #at(index: number): Part {
    this.#last = index;
    const known = this.#parts.get(index);
    if (known) return known;
    const part: Part = { said: new SaidText(), isClosed: false };
    // Not kept beyond the limit, because the stream controls the number.
    if (this.#parts.size < MAX_TURN_BLOCKS) this.#parts.set(index, part);
    return part;
  }
}

export class ResponseItem {
  /**
   * The item's type; items of the kinds that are not read have texts and input too, such as calls that the provider
   * runs.
   */
  readonly kind: string;
  /** Undefined until one is told. */
  index: number | undefined;
  /** Empty until one is told. */
  id = "";
  callId = "";
  name = "";
  /** As it was announced: what nothing later tells is taken from it. */
  offered: JsonFields | null = null;
  /** The whole item was told. */
  isEnded = false;
  /** The call's number in the turn; undefined before its name is known. */
  call: number | undefined;
  /** The call's input so far, with what came before its name. */
  input = "";
  isInputWhole = false;
  readonly content = new ItemParts();
  readonly summary = new ItemParts();
  /** A part has begun that has said nothing yet. */
  isPartNew = false;
  #said = new SaidText();
  #lastPart: Part | undefined;

  constructor(kind: string) {
    this.kind = kind;
  }

  get said(): SaidText {
    return this.#said;
  }

  /**
   * Notes words of a part. Hot path: runs for each token.
   * @param separator Between the words of two parts.
   * @returns The words, after the separator where they begin a part.
   */
  say(part: Part, words: string, separator: string): string {
    if (words === "") return "";
    const isNext = part !== this.#lastPart || this.isPartNew;
    const told = isNext && !this.#said.isEmpty ? separator + words : words;
    this.isPartNew = false;
    this.#lastPart = part;
    part.said.add(words);
    this.#said.add(told);
    return told;
  }

  /** Notes the words of the whole item. @returns Those that were not said. */
  sayAll(texts: readonly string[], separator: string): string {
    const whole = texts.join(separator);
    const words = this.#said.restOf(whole) ?? "";
    this.#said.add(words);
    return words;
  }
}
