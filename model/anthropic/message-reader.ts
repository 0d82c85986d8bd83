// Converts the events of a Messages API stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { findShapeViolation } from "../../protocol/json-shape.ts";
import {
  MAX_MODEL_EVENT_VALUES,
  MAX_THINKING_SIGNATURE_CHARACTERS,
} from "../../protocol/limits/models.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/limits/requests.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { sealUnsigned } from "../conversation/unsigned-reasoning.ts";
import type { WritableChunk } from "../stream/append-chunk.ts";
import { CallIndexes } from "../stream/call-indexes.ts";
import { JsonEventReader } from "../stream/json-event-reader.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { MALFORMED, type ModelFailure } from "../stream/model-failure.ts";
import { asCount, asFields, asText } from "../stream/stream-event.ts";
import { textChunk, thinkingChunk } from "../stream/word-chunks.ts";
import { sealRedacted, sealSignature } from "./sealed-thought.ts";

const NOTHING: JsonFields = {};
const INPUT_SHAPE = { depth: MAX_INPUT_DEPTH, values: MAX_MODEL_EVENT_VALUES };

/** The members of a usage that are read. */
const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;
type Counts = Partial<Record<(typeof COUNTS)[number], number>>;
/** The model's own refusal: a stop reason instead of an answer. */
const REFUSED: ModelFailure = {
  type: "invalid_request",
  report: { kind: "invalid_request", code: "refusal" },
};

/** A stream is complete after its stop reason: only `message_stop` can be missing then. */
export class MessageReader extends JsonEventReader {
  readonly #calls = new CallIndexes();
  /** The calls whose input was whole in the start of their block. */
  readonly #toldCalls = new Set<number>();
  #counts: Counts = {};
  #signature = "";
  /** The open block has a thought that nobody has signed so far. */
  #hasThought = false;

  override finish(): ModelChunk | null {
    return this.#releaseSignature()[0] ?? null;
  }

  protected override knows(name: string): boolean {
    return /^(?:message|content_block)_/.test(name);
  }

  protected override readMembers(event: JsonFields): WritableChunk[] {
    switch (event["type"]) {
      case "message_start":
        this.#addCounts(asFields(event["message"])?.["usage"]);
        return [];
      case "content_block_start":
        return this.#startBlock(event["index"], asFields(event["content_block"]) ?? NOTHING);
      case "content_block_delta":
        return this.#readDelta(event["index"], asFields(event["delta"]) ?? NOTHING);
      case "content_block_stop":
        return this.#releaseSignature();
      case "message_delta":
        return this.#readEnd(asFields(event["delta"]) ?? NOTHING, event["usage"]);
      case "message_stop":
        this.end();
        return this.#releaseSignature();
      default:
        // `ping`, and events of later versions, which the API reserves itself to add.
        return [];
    }
  }

  #startBlock(index: unknown, block: JsonFields): WritableChunk[] {
    const before = this.#releaseSignature();
    // Blocks of other kinds have input too, such as calls that the provider itself runs.
    if (block["type"] !== "tool_use") this.#calls.forget(index);
    switch (block["type"]) {
      case "text":
        return [...before, ...textChunk(asText(block["text"]))];
      case "thinking":
        this.#addSignature(asText(block["signature"]));
        return [...before, ...this.#readThought(asText(block["thinking"]))];
      case "redacted_thinking": {
        const thinking_signature = sealRedacted(this.by, asText(block["data"]));
        return thinking_signature === undefined ? before : [...before, { thinking_signature }];
      }
      case "tool_use":
        return [...before, { tool_calls: [this.#startCall(index, block)] }];
      default:
        return before;
    }
  }

  #readDelta(index: unknown, delta: JsonFields): WritableChunk[] {
    switch (delta["type"]) {
      case "text_delta":
        return [...this.#releaseSignature(), ...textChunk(asText(delta["text"]))];
      case "thinking_delta":
        return this.#readThought(asText(delta["thinking"]));
      case "signature_delta":
        this.#addSignature(asText(delta["signature"]));
        return [];
      case "input_json_delta": {
        const piece = asText(delta["partial_json"]);
        const call = this.#calls.find(index);
        if (piece === "" || call === undefined || this.#toldCalls.has(call)) return [];
        return [{ tool_calls: [{ index: call, delta: piece }] }];
      }
      default:
        return [];
    }
  }

  /** An input that is not streamed is in the block's start. */
  #startCall(index: unknown, block: JsonFields): ToolCallDelta {
    const id = asText(block["id"]);
    const name = asText(block["name"]);
    const call = this.#calls.resolve(index, { id, name });
    const input = asFields(block["input"]) ?? NOTHING;
    const isTold = this.#toldCalls.has(call) || Object.keys(input).length === 0;
    const delta = isTold ? "" : stringify(input);
    if (delta === null) this.refuse(MALFORMED);
    if (delta) this.#toldCalls.add(call);
    return { index: call, ...(id && { id }), ...(name && { name }), delta: delta ?? "" };
  }

  #readEnd({ stop_reason }: JsonFields, usage: unknown): WritableChunk[] {
    if (typeof stop_reason === "string") this.noteFinishReason(stop_reason);
    // The words so far are no answer, and the same request would be refused again.
    if (stop_reason === "refusal") this.refuse(REFUSED);
    else if (stop_reason) this.complete();
    this.#addCounts(usage);
    return [...this.#releaseSignature(), { usage: readUsage(this.#counts) }];
  }

  /** The counts of the end are those of the whole call; members that it leaves out were in the start. */
  #addCounts(usage: unknown): void {
    const told = asFields(usage) ?? NOTHING;
    for (const name of COUNTS) if (told[name] != null) this.#counts[name] = asCount(told[name]);
  }

  /** One that is too long to be stored is not collected further, and dropped. */
  #addSignature(piece: string): void {
    if (this.#signature.length <= MAX_THINKING_SIGNATURE_CHARACTERS) this.#signature += piece;
  }

  #readThought(words: string): WritableChunk[] {
    if (words !== "") this.#hasThought = true;
    return thinkingChunk(words);
  }

  /** The proof of the thought that has ended; who it is of when it has none. */
  #releaseSignature(): WritableChunk[] {
    if (this.#signature === "" && !this.#hasThought) return [];
    const thinking_signature =
      this.#signature === ""
        ? sealUnsigned(this.by, "thinking")
        : sealSignature(this.by, this.#signature);
    this.#signature = "";
    this.#hasThought = false;
    return thinking_signature === undefined ? [] : [{ thinking_signature }];
  }
}

/** Null for what is deeper than a call's input may be, which would exhaust the stack. */
function stringify(input: JsonFields): string | null {
  try {
    const text = JSON.stringify(input);
    return findShapeViolation(text, INPUT_SHAPE) ? null : text;
  } catch {
    return null;
  }
}

/** The API counts cached tokens apart from the others; here all are input, as with every other provider. */
function readUsage(counts: Counts): Usage {
  const {
    input_tokens: fresh = 0,
    cache_read_input_tokens = 0,
    cache_creation_input_tokens = 0,
    output_tokens = 0,
  } = counts;
  const input_tokens = asCount(fresh + cache_read_input_tokens + cache_creation_input_tokens);
  // An implausible sum is as if nothing had been told of its parts.
  const isTold = input_tokens > 0;
  return {
    input_tokens,
    output_tokens,
    cache_input_tokens: isTold ? cache_read_input_tokens : 0,
    cache_creation_input_tokens: isTold ? cache_creation_input_tokens : 0,
  };
}
