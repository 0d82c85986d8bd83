// Inputs of calls with the true names of their properties, as the model's answer is read: what follows knows no others.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import type { ProviderEvent } from "../stream/provider-event.ts";
import type { ModelFailure } from "../stream/model-failure.ts";
import type { AnswerReader } from "../stream/stream-answer.ts";
import type { PropertyNames } from "./property-names.ts";

/** The names of the tools that have some, by the tools' names. */
export type NamesOfTools = ReadonlyMap<string, PropertyNames>;

/** The reader itself where no tool has names of its own. */
export function withOwnNames(reader: AnswerReader, names: NamesOfTools): AnswerReader {
  return names.size === 0 ? reader : new RenamedInputs(reader, names);
}

class RenamedInputs implements AnswerReader {
  readonly #reader: AnswerReader;
  readonly #names: NamesOfTools;
  /** By the call's number in the turn; null for a call whose input stays as it is. */
  readonly #calls = new Map<number, RenamedInput | null>();

  constructor(reader: AnswerReader, names: NamesOfTools) {
    this.#reader = reader;
    this.#names = names;
  }

  get isOver(): boolean {
    return this.#reader.isOver;
  }

  get failure(): ModelFailure | null {
    return this.#reader.failure;
  }

  get finishReason(): string | null {
    return this.#reader.finishReason;
  }

  read(events: readonly ProviderEvent[]): readonly ModelChunk[] {
    return this.#reader.read(events).map((chunk) => this.#rename(chunk));
  }

  /** The rest of inputs that ended in the middle. */
  finish(): ModelChunk | null {
    const last = this.#reader.finish();
    const renamed = last && this.#rename(last);
    const rest = [...this.#calls].flatMap(([index, input]): ToolCallDelta[] => {
      const delta = input?.release() ?? "";
      return delta === "" ? [] : [{ index, delta }];
    });
    if (rest.length === 0) return renamed;
    return { ...renamed, tool_calls: [...(renamed?.tool_calls ?? []), ...rest] };
  }

  #rename(chunk: ModelChunk): ModelChunk {
    const { tool_calls } = chunk;
    if (!tool_calls) return chunk;
    return { ...chunk, tool_calls: tool_calls.map((call) => this.#renameCall(call)) };
  }

  #renameCall(call: ToolCallDelta): ToolCallDelta {
    const { index, name, delta } = call;
    if (!this.#calls.has(index) && name !== undefined) {
      const names = this.#names.get(name);
      this.#calls.set(index, names ? new RenamedInput(names.own) : null);
    }
    const input = this.#calls.get(index);
    return input ? { ...call, delta: input.read(delta) } : call;
  }
}

/** Characters that end a text in quotes, or continue in it behind another character. */
const QUOTE_OR_ESCAPE = /["\\]/g;
const NO_SPACE = /[^ \t\r\n]/g;

/**
 * The text of one input, in pieces. A text in quotes before a colon is a member's name. What is not renamed is told in
 * whole stretches: a text made one character at a time takes thirty times its size.
 */
class RenamedInput {
  readonly #own: ReadonlyMap<string, string>;
  readonly #maxCharacters: number;
  /** A text in quotes that may be a name, from its first quote on. White space behind it is not kept: it may be any. */
  #held = "";
  #isInText = false;
  #isEscaped = false;

  /** @param own True names, by those that the model was given. */
  constructor(own: ReadonlyMap<string, string>) {
    this.#own = own;
    this.#maxCharacters = Math.max(...[...own.keys()].map(({ length }) => length));
  }

  read(piece: string): string {
    const text = this.release() + piece;
    let told = "";
    let toldUntil = 0;
    let at = 0;
    while (at < text.length) {
      if (this.#isInText) {
        at = this.#endOfText(text, at);
        continue;
      }
      const start = text.indexOf('"', at);
      if (start < 0) break;
      const end = this.#endOfName(text, start + 1);
      const isName = text[end] === '"';
      const own = isName ? this.#own.get(text.slice(start + 1, end)) : undefined;
      const next = own === undefined ? end : indexIn(text, NO_SPACE, end + 1);
      if (next === text.length) {
        this.#held = text.slice(start, end + 1);
        return told + text.slice(toldUntil, start);
      }
      this.#isInText = !isName;
      at = isName ? end + 1 : end;
      if (own === undefined || text[next] !== ":") continue;
      told += `${text.slice(toldUntil, start)}${JSON.stringify(own)}`;
      toldUntil = at;
    }
    return told + text.slice(toldUntil);
  }

  /** The text that is withheld at the end. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** Behind its last character. Names that are given have none that is escaped, and are not longer than the longest. */
  #endOfName(text: string, from: number): number {
    return Math.min(indexIn(text, QUOTE_OR_ESCAPE, from), from + this.#maxCharacters + 1);
  }

  /** Behind its quote, or behind an escaped character in it. */
  #endOfText(text: string, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from + 1;
    }
    const end = indexIn(text, QUOTE_OR_ESCAPE, from);
    if (text[end] === '"') this.#isInText = false;
    if (text[end] === "\\") this.#isEscaped = true;
    return end + 1;
  }
}

/** Of the first such character from there on; the text's length when there is none. */
function indexIn(text: string, sought: RegExp, from: number): number {
  sought.lastIndex = from;
  return sought.exec(text)?.index ?? text.length;
}
