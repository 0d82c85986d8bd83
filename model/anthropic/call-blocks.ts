// The calls of one message: which of them an event is about, and their input in any form that endpoints give it.
import type { ToolCallDelta } from "../../agent/ports.ts";
import { MAX_TURN_CALLS } from "../../protocol/models/limits.ts";
import { inputText } from "../stream/input-text.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { asIndex, asText, parseStreamEvent } from "../stream/stream-event.ts";

interface CallBlock {
  /** The call's number in the turn. */
  readonly index: number;
  readonly id: string;
  hasInput: boolean;
  /** The call's input is whole: what is streamed repeats it. */
  isWhole: boolean;
  isStopped: boolean;
  /** An input in the start that is no JSON object. What is streamed goes before it. */
  held: string;
}

export class CallBlocks {
  readonly #byIndex = new Map<number, CallBlock>();
  /** The call of the last block; null when the block is no call. */
  #last: CallBlock | null = null;
  #next = 0;

  /** @returns Null for an input that is deeper than any. */
  start(given: unknown, block: JsonFields): ToolCallDelta | null {
    const id = asText(block["id"]);
    const name = asText(block["name"]);
    const known = this.#find(given);
    const call = known && isRepeated(known, id) ? known : this.#begin(given, id);
    // All of the block comes once more.
    if (call === known && call.isStopped && call.hasInput) call.isWhole = true;
    this.#last = call;
    const delta = call.hasInput ? "" : readStart(call, block["input"]);
    if (delta === null) return null;
    return { index: call.index, ...(id && { id }), ...(name && { name }), delta };
  }

  /** A block of another kind, which may have input too, such as a call that the provider itself runs. */
  startOther(given: unknown): void {
    const index = asIndex(given);
    if (index !== undefined) this.#byIndex.delete(index);
    this.#last = null;
  }

  /** @returns Undefined for nothing, null for an input that is deeper than any. */
  read(given: unknown, value: unknown): ToolCallDelta | null | undefined {
    const call = this.#find(given);
    if (!call || call.isWhole) return undefined;
    const delta = inputText(value);
    if (delta === null) return null;
    if (delta === "") return undefined;
    call.hasInput = true;
    return { index: call.index, delta };
  }

  /** The block's end. @returns What was held, where nothing else has come. */
  stop(given: unknown): ToolCallDelta | undefined {
    const call = this.#find(given);
    if (call) call.isStopped = true;
    return call && release(call);
  }

  /** The message's end: some endpoints leave out those of blocks. */
  stopAll(): readonly ToolCallDelta[] {
    return [...this.#byIndex.values(), ...(this.#last ? [this.#last] : [])].flatMap(
      (call) => release(call) ?? [],
    );
  }

  #find(given: unknown): CallBlock | undefined {
    const index = asIndex(given);
    return index === undefined ? (this.#last ?? undefined) : this.#byIndex.get(index);
  }

  #begin(given: unknown, id: string): CallBlock {
    // Calls beyond the limit share a number.
    const number = Math.min(this.#next, MAX_TURN_CALLS);
    this.#next += 1;
    const call = {
      index: number,
      id,
      hasInput: false,
      isWhole: false,
      isStopped: false,
      held: "",
    };
    const index = asIndex(given);
    // Not stored beyond the limit, because the stream controls the number of entries.
    const isStored = number < MAX_TURN_CALLS || (index !== undefined && this.#byIndex.has(index));
    if (index !== undefined && isStored) this.#byIndex.set(index, call);
    return call;
  }
}

/** Whether the start of a block is told again: an index may be used for several. */
function isRepeated(known: CallBlock, id: string): boolean {
  if (id !== "" && known.id !== "") return id === known.id;
  return !known.hasInput && !known.isStopped;
}

/** The part of an input in the start of its block that is told at once. */
function readStart(call: CallBlock, value: unknown): string | null {
  // PHP writes an empty object so.
  const isEmpty = Array.isArray(value) && value.length === 0;
  const text = isEmpty ? "" : inputText(value);
  if (!text) return text;
  const fields = parseStreamEvent(text);
  const isObject = text.trim().startsWith("{");
  if (fields && isObject && Object.keys(fields).length === 0) return "";
  if (!isObject) {
    call.held = text;
    return "";
  }
  // A text that is no JSON yet is the beginning of what will be streamed.
  call.isWhole = fields !== undefined;
  call.hasInput = true;
  return text;
}

function release(call: CallBlock): ToolCallDelta | undefined {
  const { held, hasInput, index } = call;
  call.held = "";
  if (held === "" || hasInput) return undefined;
  call.hasInput = true;
  return { index, delta: held };
}
