// Converts the events of a chat completions stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk } from "../../agent/ports.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/models/limits.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import type { ReasoningMember } from "../conversation/unsigned-reasoning.ts";
import type { ProviderEvent } from "../stream/provider-event.ts";
import { appendChunk, type WritableChunk } from "../stream/append-chunk.ts";
import { classifyEvent } from "../stream/error-event.ts";
import { failureOfFinish } from "../stream/failing-finish.ts";
import { JsonEventReader } from "../stream/json-event-reader.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { MALFORMED } from "../stream/model-failure.ts";
import { asFields } from "../stream/stream-event.ts";
import { CallReader } from "./call-reader.ts";
import { ChunkTemplate } from "./chunk-template.ts";
import { readMadeMedia } from "./made-media.ts";
import {
  deltaOf,
  laterUsage,
  mainChoice,
  readReasoningDetails,
  readUsage,
  readWords,
} from "./openai-event.ts";
import { ProofReader } from "./proof-reader.ts";

/**
 * An event longer than this is not searched for a thinking signature: a valid one is shorter, and its parts would fill
 * the memory.
 */
const MAX_PROOF_EVENT_CHARACTERS = 2 * MAX_THINKING_SIGNATURE_CHARACTERS;

/** Some endpoints end without `[DONE]`: after the finish reason only the usage can be missing. */
export class ChunkReader extends JsonEventReader {
  readonly #calls: CallReader;
  readonly #proofs: ProofReader;
  readonly #template = new ChunkTemplate();
  #thoughtMember: ReasoningMember | null = null;
  #pictures = 0;
  #usage: Usage | undefined;
  #hasSaid = false;
  /** Thoughts have come in members of their own. */
  #hasReasoning = false;

  /** @param by The author of the stream's thinking signatures, see `proofAuthor`. */
  constructor(isStream: boolean, by: string) {
    super(isStream, by);
    this.#calls = new CallReader(by);
    this.#proofs = new ProofReader(by);
  }

  protected override readEvent(event: ProviderEvent, chunks: WritableChunk[]): void {
    const alike = typeof event === "string" ? this.#readAlike(event) : null;
    if (alike) appendChunk(chunks, alike);
    else super.readEvent(event, chunks);
  }

  /** By the template; null where a proof of the thought before has to be emitted first. */
  #readAlike(data: string): WritableChunk | null {
    if (this.#proofs.hasProof) return null;
    const alike = this.#template.read(data);
    if (!alike) return null;
    if (!("thinking" in alike)) return this.#proofs.hasThought ? null : alike;
    if (this.#thoughtMember) this.#proofs.noteThought(this.#thoughtMember);
    return alike;
  }

  /** The events of this wire have no names. */
  protected override knows(): boolean {
    return false;
  }

  protected override readEndMarker(): void {
    this.end();
  }

  protected override readMembers(event: JsonFields, received: ProviderEvent): WritableChunk[] {
    const choice = mainChoice(event);
    if (choice["error"]) {
      this.refuse(classifyEvent(choice));
      return [];
    }
    const whole = this.#hasSaid ? undefined : wholeMessageOf(choice);
    this.#readEnd(choice["finish_reason"], whole !== undefined);
    if (this.isOver) return [];
    const data = typeof received === "string" ? received : received.data;
    if (typeof received === "string") this.#template.learn(data, event);
    const mayProve = data.length <= MAX_PROOF_EVENT_CHARACTERS;
    const chunk = this.#readDelta(whole ?? deltaOf(choice), mayProve);
    const usage = readUsage(event, choice);
    if (usage) this.#usage = laterUsage(this.#usage, usage);
    if (usage && this.#usage) chunk.usage = this.#usage;
    return chunk.thinking && (chunk.text || chunk.tool_calls) ? this.#partThought(chunk) : [chunk];
  }

  /** Puts the end of a thought between it and what follows from it in the same event. */
  #partThought(chunk: WritableChunk): WritableChunk[] {
    const proof = this.#proofs.release() ?? this.#proofs.releaseUnsigned();
    if (proof === undefined) return [chunk];
    const { thinking, thinking_signature, ...rest } = chunk;
    return [
      { thinking, ...(thinking_signature !== undefined && { thinking_signature }) },
      { ...rest, thinking_signature: proof },
    ];
  }

  /** The remaining chunk at the end of the stream; null when there is none. */
  override finish(): ModelChunk | null {
    const thinking_signature = this.#proofs.release() ?? this.#proofs.releaseUnsigned();
    return thinking_signature === undefined ? null : { thinking_signature };
  }

  #readEnd(finishReason: unknown, isWhole: boolean): void {
    if (finishReason || isWhole) this.complete();
    if (typeof finishReason !== "string" || finishReason === "") return;
    this.noteFinishReason(finishReason);
    const failure = failureOfFinish(finishReason);
    if (failure) this.refuse(failure);
  }

  /** Hot path: runs for every token of a stream without a template, so it reads only the members that exist. */
  #readDelta(delta: JsonFields, mayProve: boolean): WritableChunk {
    const words = readWords(delta);
    const thinking = words.thinking || this.#readDetails(delta);
    const hasMedia = delta["audio"] || delta["images"];
    const made = hasMedia ? readMadeMedia(delta, this.#pictures) : null;
    if (made) this.#pictures += made.data.length;
    const text = words.text + (made?.transcript ?? "");
    const hasCalls = delta["tool_calls"] || delta["function_call"];
    const chunk: WritableChunk = {};
    if (thinking || text || hasCalls) {
      this.#hasSaid = true;
      const thinking_signature =
        this.#proofs.release() ?? (thinking ? undefined : this.#proofs.releaseUnsigned());
      if (thinking_signature !== undefined) chunk.thinking_signature = thinking_signature;
    }
    if (words.thinking) this.#hasReasoning = true;
    if (mayProve) this.#proofs.take(delta);
    if (thinking) {
      chunk.thinking = thinking;
      this.#thoughtMember = thoughtMemberOf(delta);
      if (this.#thoughtMember) this.#proofs.noteThought(this.#thoughtMember);
    }
    if (text) chunk.text = text;
    if (made && made.data.length > 0) chunk.data = made.data;
    const tool_calls = hasCalls ? this.#calls.read(delta) : [];
    if (!tool_calls) this.refuse(MALFORMED);
    else if (tool_calls.length > 0) chunk.tool_calls = tool_calls;
    return chunk;
  }

  /** Most streams have the same words in a member of their own, in some only before or after the details. */
  #readDetails(delta: JsonFields): string {
    return this.#hasReasoning || !delta["reasoning_details"] ? "" : readReasoningDetails(delta);
  }
}

/** The message of an endpoint that answers at once, though a stream was asked for. */
function wholeMessageOf({ delta, message }: JsonFields): JsonFields | undefined {
  return asFields(delta) ? undefined : asFields(message);
}

/** The member in which a thought would go back; null for parts of the content, which have no such member. */
function thoughtMemberOf(delta: JsonFields): ReasoningMember | null {
  if (delta["reasoning_content"]) return "reasoning_content";
  return delta["reasoning"] || delta["reasoning_details"] ? "reasoning" : null;
}
