// Inputs of calls with the true names of their properties, as the model's answer is read: what follows knows no others.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import type { AnswerEvent } from "../stream/answer-event.ts";
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

  read(events: readonly AnswerEvent[]): readonly ModelChunk[] {
    return this.#reader.read(events).map((chunk) => this.#rename(chunk));
  }

  /** What is held of inputs that ended in the middle follows here. */
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

/** The text of one input, in pieces. A text in quotes before a colon is a member's name. */
class RenamedInput {
  readonly #own: ReadonlyMap<string, string>;
  readonly #maxCharacters: number;
  /** A text in quotes that may be a name, from its first quote on, and the white space behind it. */
  #held = "";
  #state: "outside" | "name" | "behind" | "text" = "outside";
  #isEscaped = false;

  /** @param own True names, by those that the model was given. */
  constructor(own: ReadonlyMap<string, string>) {
    this.#own = own;
    this.#maxCharacters = Math.max(...[...own.keys()].map(({ length }) => length));
  }

  read(piece: string): string {
    let told = "";
    for (const character of piece) told += this.#next(character);
    return told;
  }

  /** What is held at the end. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #next(character: string): string {
    switch (this.#state) {
      case "outside":
        return this.#nextOutside(character);
      case "name":
        return this.#nextOfName(character);
      case "text":
        return this.#nextOfText(character);
      case "behind":
        return this.#nextBehind(character);
      default:
        return this.#state satisfies never;
    }
  }

  #nextOutside(character: string): string {
    if (character !== '"') return character;
    this.#state = "name";
    this.#held = character;
    return "";
  }

  /** Names that are given have no character that is escaped. */
  #nextOfName(character: string): string {
    this.#held += character;
    if (character === '"') {
      const isGiven = this.#own.has(this.#held.slice(1, -1));
      this.#state = isGiven ? "behind" : "outside";
      return isGiven ? "" : this.release();
    }
    if (character !== "\\" && this.#held.length <= this.#maxCharacters + 1) return "";
    this.#state = "text";
    this.#isEscaped = character === "\\";
    return this.release();
  }

  #nextOfText(character: string): string {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#state = "outside";
    return character;
  }

  #nextBehind(character: string): string {
    if (" \t\r\n".includes(character)) {
      this.#held += character;
      return "";
    }
    const held = this.release();
    const end = held.lastIndexOf('"');
    const own = character === ":" ? this.#own.get(held.slice(1, end)) : undefined;
    this.#state = "outside";
    const told = own === undefined ? held : `${JSON.stringify(own)}${held.slice(end + 1)}`;
    return `${told}${this.#nextOutside(character)}`;
  }
}
