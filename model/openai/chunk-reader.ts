// The events of a chat completions stream, in the loop's words. What cannot be an event of such a stream at all is
// refused.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { MAX_TURN_CALLS, MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/limits/models.ts";
import type { ErrorType, Usage } from "../../protocol/messages/messages.ts";
import { BodyTooBig } from "../../outgoing/body.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import type { JsonFields } from "./json-fields.ts";
import { classifyStreamError, type ModelFailure } from "./openai-error.ts";
import {
  asFields,
  asList,
  asText,
  deltaOf,
  mainChoice,
  parseEvent,
  readUsage,
  readWords,
} from "./openai-event.ts";
import { ProofReader } from "./proof-reader.ts";

/** A longer event has no proof that would be kept, but parts of one that would fill the memory until it is given. */
const MAX_PROOF_EVENT_CHARACTERS = 2 * MAX_THINKING_SIGNATURE_CHARACTERS;

type WritableChunk = { -readonly [Key in keyof ModelChunk]: ModelChunk[Key] };

/** Reads the events of one stream, in their order. Lives as long as the stream. */
export class ChunkReader {
  readonly #calls = new CallIndexes();
  readonly #proofs: ProofReader;
  readonly #template = new ChunkTemplate();
  #isStream: boolean;
  #isFinished = false;
  #isDone = false;
  #refusal: ErrorType | null = null;

  /**
   * @param isStream Whether the answer says that it is an event stream; else its first event tells.
   * @param by Whose proofs of thoughts the stream brings.
   */
  constructor(isStream: boolean, by: string) {
    this.#isStream = isStream;
    this.#proofs = new ProofReader(by);
  }

  /** Nothing after this counts. */
  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  /**
   * Why the stream failed, once it has ended; null when it came to its end. Some endpoints end without `[DONE]`:
   * after the finish reason only the usage can be missing.
   */
  get failure(): ModelFailure | null {
    if (this.#refusal) return { type: this.#refusal };
    if (this.#isDone || this.#isFinished) return null;
    return { type: this.#isStream ? "connection" : "upstream" };
  }

  /** As {@link failure}, when reading it threw. */
  failureBy(error: unknown): ModelFailure | null {
    return error instanceof BodyTooBig ? { type: "upstream" } : this.failure;
  }

  /**
   * The events of one read, in their order. Neighbours that bring nothing but text, nothing but thinking or nothing but
   * calls are one chunk: the log would make one delta of them anyway, and a step of the loop costs more than a token.
   */
  read(events: readonly string[]): readonly ModelChunk[] {
    const chunks: WritableChunk[] = [];
    for (const data of events) {
      if (this.isOver) break;
      // A proof that has come is to be given before the next word.
      const alike = this.#proofs.hasProof ? null : this.#template.read(data);
      const chunk = alike ?? this.#readEvent(data);
      if (chunk) append(chunks, chunk);
    }
    return chunks;
  }

  /** @returns Null when the event brings nothing: the stream is over. */
  #readEvent(data: string): WritableChunk | null {
    this.#isStream = true;
    if (data === "[DONE]") {
      this.#isDone = true;
      return null;
    }
    const event = parseEvent(data);
    if (!event || event["error"]) {
      this.#refusal = event ? classifyStreamError(event["error"]) : "upstream";
      return null;
    }
    const choice = mainChoice(event);
    if (choice["finish_reason"]) this.#isFinished = true;
    this.#template.learn(data, event);
    const mayProve = data.length <= MAX_PROOF_EVENT_CHARACTERS;
    return this.#readDelta(deltaOf(choice), readUsage(event), mayProve);
  }

  /** What is still to be said when the stream has come to its end; null when that is nothing. */
  finish(): ModelChunk | null {
    const thinking_signature = this.#proofs.release();
    return thinking_signature === undefined ? null : { thinking_signature };
  }

  /** Looks at what is there alone: it runs for every token of a stream whose events are not alike. */
  #readDelta(delta: JsonFields, usage: Usage | undefined, mayProve: boolean): WritableChunk {
    const { thinking, text } = readWords(delta);
    const chunk: WritableChunk = {};
    if (thinking || text || delta["tool_calls"]) {
      const thinking_signature = this.#proofs.release();
      if (thinking_signature !== undefined) chunk.thinking_signature = thinking_signature;
    }
    if (mayProve) this.#proofs.take(delta);
    if (thinking) chunk.thinking = thinking;
    if (text) chunk.text = text;
    if (delta["tool_calls"]) {
      const tool_calls = this.#readCalls(delta["tool_calls"]);
      if (tool_calls.length > 0) chunk.tool_calls = tool_calls;
    }
    if (usage) chunk.usage = usage;
    return chunk;
  }

  #readCalls(calls: unknown): ToolCallDelta[] {
    return asList(calls).flatMap((value) => {
      const call = asFields(value);
      if (!call) return [];
      const made = asFields(call["function"]) ?? {};
      const id = asText(call["id"]);
      const name = asText(made["name"]);
      const index = this.#calls.resolve(call["index"], { id, name });
      return [
        { index, ...(id && { id }), ...(name && { name }), delta: asText(made["arguments"]) },
      ];
    });
  }
}

/** Tells the calls of a turn apart where endpoints leave the index out or give each call the same one. */
class CallIndexes {
  readonly #open = new Map<unknown, { index: number; id: string }>();
  #next = 0;

  /** A name with another id than the open call's begins a new call. Those beyond what a turn may have are all one. */
  resolve(given: unknown, { id, name }: { id: string; name: string }): number {
    const open = this.#open.get(given);
    if (open && !(name && id && open.id && id !== open.id)) {
      open.id ||= id;
      return open.index;
    }
    const index = this.#next;
    if (index < MAX_TURN_CALLS) this.#next += 1;
    // One more entry for each of those would be memory that a stream fills.
    if (index < MAX_TURN_CALLS || open) this.#open.set(given, { index, id });
    return index;
  }
}

/** As one chunk with that before it where they differ in nothing but their words. What says nothing is left out. */
function append(chunks: WritableChunk[], chunk: WritableChunk): void {
  const last = chunks.at(-1);
  const kind = kindOf(chunk);
  if (kind === "nothing") return;
  if (!last || kind === "mixed" || kindOf(last) !== kind) chunks.push(chunk);
  else if (kind === "text") last.text = `${last.text}${chunk.text}`;
  else if (kind === "thinking") last.thinking = `${last.thinking}${chunk.thinking}`;
  else last.tool_calls = mergeCalls(last.tool_calls, chunk.tool_calls);
}

/** Pieces of calls that are interleaved would each be an event of the log, unless those of a call are put together. */
function mergeCalls(
  before: readonly ToolCallDelta[] = [],
  more: readonly ToolCallDelta[] = [],
): readonly ToolCallDelta[] {
  const merged = [...before];
  for (const piece of more) {
    const at = merged.findLastIndex(({ index }) => index === piece.index);
    const open = merged[at];
    if (open) merged[at] = { ...piece, ...open, delta: open.delta + piece.delta };
    else merged.push(piece);
  }
  return merged;
}

function kindOf(chunk: ModelChunk): "text" | "thinking" | "calls" | "mixed" | "nothing" {
  const { text, thinking, tool_calls } = chunk;
  if (chunk.thinking_signature !== undefined || chunk.usage) return "mixed";
  if (tool_calls) return text === undefined && thinking === undefined ? "calls" : "mixed";
  if (text === undefined) return thinking === undefined ? "nothing" : "thinking";
  return thinking === undefined ? "text" : "mixed";
}
