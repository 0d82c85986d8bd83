// Converts the events of a chat completions stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/limits/models.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import type { AnswerEvent } from "../stream/answer-event.ts";
import { appendChunk, type WritableChunk } from "../stream/append-chunk.ts";
import { CallIndexes } from "../stream/call-indexes.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { JsonEventReader } from "../stream/json-event-reader.ts";
import { asFields, asList, asText } from "../stream/stream-event.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import { deltaOf, mainChoice, readUsage, readWords } from "./openai-event.ts";
import { readMadeMedia } from "./made-media.ts";
import { ProofReader } from "./proof-reader.ts";

/**
 * An event longer than this is not searched for a thinking signature: a valid one is shorter, and its parts would fill
 * the memory.
 */
const MAX_PROOF_EVENT_CHARACTERS = 2 * MAX_THINKING_SIGNATURE_CHARACTERS;

/** Some endpoints end without `[DONE]`: after the finish reason only the usage can be missing. */
export class ChunkReader extends JsonEventReader {
  readonly #calls = new CallIndexes();
  readonly #proofs: ProofReader;
  readonly #template = new ChunkTemplate();
  #pictures = 0;

  /** @param by The author of the stream's thinking signatures, see `proofAuthor`. */
  constructor(isStream: boolean, by: string) {
    super(isStream, by);
    this.#proofs = new ProofReader(by);
  }

  protected override readEvent(event: AnswerEvent, chunks: WritableChunk[]): void {
    // A received signature must be emitted before the next text.
    const mayBeAlike = typeof event === "string" && !this.#proofs.hasProof;
    const alike = mayBeAlike ? this.#template.read(event) : null;
    if (alike) appendChunk(chunks, alike);
    else super.readEvent(event, chunks);
  }

  /** The events of this wire have no names. */
  protected override knows(): boolean {
    return false;
  }

  protected override readEndMarker(): void {
    this.end();
  }

  protected override readMembers(event: JsonFields, received: AnswerEvent): WritableChunk[] {
    const choice = mainChoice(event);
    const finishReason = choice["finish_reason"];
    if (finishReason) {
      this.complete();
      if (typeof finishReason === "string") this.noteFinishReason(finishReason);
    }
    const data = typeof received === "string" ? received : received.data;
    if (typeof received === "string") this.#template.learn(data, event);
    const mayProve = data.length <= MAX_PROOF_EVENT_CHARACTERS;
    return [this.#readDelta(deltaOf(choice), readUsage(event), mayProve)];
  }

  /** The remaining chunk at the end of the stream; null when there is none. */
  override finish(): ModelChunk | null {
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
