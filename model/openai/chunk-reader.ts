// Converts the events of a chat completions stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { MAX_TURN_CALLS, MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/limits/models.ts";
import type { ErrorType, Usage } from "../../protocol/messages/messages.ts";
import { BodyTooBig } from "../../outgoing/body.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { classifyStreamError, type ModelFailure } from "./openai-error.ts";
import {
  asFields,
  asList,
  asText,
  deltaOf,
  mainChoice,
  parseStreamEvent,
  readUsage,
  readWords,
} from "./openai-event.ts";
import { ProofReader } from "./proof-reader.ts";

/**
 * An event longer than this is not searched for a thinking signature: a valid one is shorter, and its parts would fill
 * the memory.
 */
const MAX_PROOF_EVENT_CHARACTERS = 2 * MAX_THINKING_SIGNATURE_CHARACTERS;

type WritableChunk = { -readonly [Key in keyof ModelChunk]: ModelChunk[Key] };

/** Reader of one stream; events must be given in order. */
export class ChunkReader {
  readonly #calls = new CallIndexes();
  readonly #proofs: ProofReader;
  readonly #template = new ChunkTemplate();
  #isStream: boolean;
  #isFinished = false;
  #isDone = false;
  #refusal: ErrorType | null = null;

  /**
   * @param isStream Whether the response is declared an event stream; otherwise its first event decides.
   * @param by The author of the stream's thinking signatures, see `proofAuthor`.
   */
  constructor(isStream: boolean, by: string) {
    this.#isStream = isStream;
    this.#proofs = new ProofReader(by);
  }

  /** True after the end marker: later events are ignored. */
  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  /**
   * Why the stream failed, once it has ended; null when it is complete. Some endpoints end without `[DONE]`: after the
   * finish reason only the usage can be missing.
   */
  get failure(): ModelFailure | null {
    if (this.#refusal) return { type: this.#refusal };
    if (this.#isDone || this.#isFinished) return null;
    return { type: this.#isStream ? "connection" : "upstream" };
  }

  /** As {@link failure}, for a stream whose reading threw. */
  failureBy(error: unknown): ModelFailure | null {
    return error instanceof BodyTooBig ? { type: "upstream" } : this.failure;
  }

  /**
   * The events of one read, in order. Consecutive events with only text, only thinking or only calls are merged into
   * one chunk: the log would merge them anyway, and a step of the loop costs more than a token.
   */
  read(events: readonly string[]): readonly ModelChunk[] {
    const chunks: WritableChunk[] = [];
    for (const data of events) {
      if (this.isOver) break;
      // A received signature must be emitted before the next text.
      const alike = this.#proofs.hasProof ? null : this.#template.read(data);
      const chunk = alike ?? this.#readEvent(data);
      if (chunk) append(chunks, chunk);
    }
    return chunks;
  }

  /** @returns Null when the event has no content, as at the end of the stream. */
  #readEvent(data: string): WritableChunk | null {
    this.#isStream = true;
    if (data === "[DONE]") {
      this.#isDone = true;
      return null;
    }
    const event = parseStreamEvent(data);
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

  /** The remaining chunk at the end of the stream; null when there is none. */
  finish(): ModelChunk | null {
    const thinking_signature = this.#proofs.release();
    return thinking_signature === undefined ? null : { thinking_signature };
  }

  /** Hot path: runs for every token of a stream without a template, so it reads only the members that exist. */
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

/** Assigns indexes to the calls of a turn, for endpoints that omit the index or repeat the same one. */
class CallIndexes {
  readonly #open = new Map<unknown, { index: number; id: string }>();
  #next = 0;

  /**
   * A name with an id other than the open call's starts a new call. All calls beyond the limit of a turn share one
   * index.
   */
  resolve(given: unknown, { id, name }: { id: string; name: string }): number {
    const open = this.#open.get(given);
    if (open && !(name && id && open.id && id !== open.id)) {
      open.id ||= id;
      return open.index;
    }
    const index = this.#next;
    if (index < MAX_TURN_CALLS) this.#next += 1;
    // Not stored beyond the limit, because the stream controls the number of entries.
    if (index < MAX_TURN_CALLS || open) this.#open.set(given, { index, id });
    return index;
  }
}

/** Appends a chunk, merged with the previous one where only their texts differ. Empty chunks are dropped. */
function append(chunks: WritableChunk[], chunk: WritableChunk): void {
  const last = chunks.at(-1);
  const kind = kindOf(chunk);
  if (kind === "nothing") return;
  if (!last || kind === "mixed" || kindOf(last) !== kind) chunks.push(chunk);
  else if (kind === "text") last.text = `${last.text}${chunk.text}`;
  else if (kind === "thinking") last.thinking = `${last.thinking}${chunk.thinking}`;
  else last.tool_calls = mergeCalls(last.tool_calls, chunk.tool_calls);
}

/** Merges interleaved deltas by call: otherwise each would become an event of the log. */
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
