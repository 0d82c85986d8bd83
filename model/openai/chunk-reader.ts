// Converts the events of a chat completions stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/limits/models.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { appendChunk, type WritableChunk } from "../stream/append-chunk.ts";
import { CallIndexes } from "../stream/call-indexes.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { CUT_OFF, MALFORMED, type ModelFailure } from "../stream/model-failure.ts";
import type { AnswerReader } from "../stream/stream-answer.ts";
import { asFields, asList, asText, parseStreamEvent } from "../stream/stream-event.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import { classifyStreamError } from "./openai-error.ts";
import { deltaOf, mainChoice, readUsage, readWords } from "./openai-event.ts";
import { readMadeMedia } from "./made-media.ts";
import { ProofReader } from "./proof-reader.ts";

/**
 * An event longer than this is not searched for a thinking signature: a valid one is shorter, and its parts would fill
 * the memory.
 */
const MAX_PROOF_EVENT_CHARACTERS = 2 * MAX_THINKING_SIGNATURE_CHARACTERS;

/** Reader of one stream; events must be given in order. */
export class ChunkReader implements AnswerReader {
  readonly #calls = new CallIndexes();
  readonly #proofs: ProofReader;
  readonly #template = new ChunkTemplate();
  #isStream: boolean;
  #pictures = 0;
  #isFinished = false;
  #isDone = false;
  #refusal: ModelFailure | null = null;
  #finishReason: string | null = null;

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
    if (this.#refusal) return this.#refusal;
    if (this.#isDone || this.#isFinished) return null;
    return this.#isStream ? CUT_OFF : MALFORMED;
  }

  get finishReason(): string | null {
    return this.#finishReason;
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
      if (chunk) appendChunk(chunks, chunk);
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
      this.#refusal = event ? classifyStreamError(event["error"]) : MALFORMED;
      return null;
    }
    const choice = mainChoice(event);
    const finishReason = choice["finish_reason"];
    if (finishReason) {
      this.#isFinished = true;
      if (typeof finishReason === "string") this.#finishReason = finishReason;
    }
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
    const words = readWords(delta);
    const { thinking } = words;
    const hasMedia = delta["audio"] || delta["images"];
    const made = hasMedia ? readMadeMedia(delta, this.#pictures) : null;
    if (made) this.#pictures += made.data.length;
    const text = words.text + (made?.transcript ?? "");
    const chunk: WritableChunk = {};
    if (thinking || text || delta["tool_calls"]) {
      const thinking_signature = this.#proofs.release();
      if (thinking_signature !== undefined) chunk.thinking_signature = thinking_signature;
    }
    if (mayProve) this.#proofs.take(delta);
    if (thinking) chunk.thinking = thinking;
    if (text) chunk.text = text;
    if (made && made.data.length > 0) chunk.data = made.data;
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
