// Converts the events of a Messages API stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk } from "../../agent/ports.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS, MAX_TURN_CALLS } from "../../protocol/limits/models.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { appendChunk, type WritableChunk } from "../stream/append-chunk.ts";
import { CallIndexes } from "../stream/call-indexes.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { CUT_OFF, MALFORMED, type ModelFailure } from "../stream/model-failure.ts";
import type { AnswerReader } from "../stream/stream-answer.ts";
import { asCount, asFields, asText, parseStreamEvent } from "../stream/stream-event.ts";
import { classifyAnthropicEvent } from "./anthropic-error.ts";
import { sealRedacted, sealSignature } from "./sealed-thought.ts";

const NOTHING: JsonFields = {};
/** The model's own refusal: a stop reason instead of an answer. */
const REFUSED: ModelFailure = {
  type: "invalid_request",
  report: { kind: "invalid_request", code: "refusal" },
};

/** Reader of one stream; events must be given in order. */
export class MessageReader implements AnswerReader {
  readonly #by: string;
  readonly #calls = new CallIndexes();
  /** The calls without any piece of input so far, by index of the block. */
  readonly #silentCalls = new Map<unknown, { readonly call: number; readonly input: unknown }>();
  #usage: JsonFields = NOTHING;
  #signature = "";
  #isStream: boolean;
  #isFinished = false;
  #isDone = false;
  #refusal: ModelFailure | null = null;
  #finishReason: string | null = null;

  /**
   * @param isStream Whether the response is declared an event stream; otherwise its first event decides.
   * @param by The author of the stream's thinking signatures.
   */
  constructor(isStream: boolean, by: string) {
    this.#isStream = isStream;
    this.#by = by;
  }

  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  /** A stream is complete after its stop reason: only `message_stop` can be missing then. */
  get failure(): ModelFailure | null {
    if (this.#refusal) return this.#refusal;
    if (this.#isDone || this.#isFinished) return null;
    return this.#isStream ? CUT_OFF : MALFORMED;
  }

  get finishReason(): string | null {
    return this.#finishReason;
  }

  /** As the reader of chat completions, like chunks of one read are merged. */
  read(events: readonly string[]): readonly ModelChunk[] {
    const chunks: WritableChunk[] = [];
    for (const data of events) {
      if (this.isOver) break;
      this.#isStream = true;
      const event = parseStreamEvent(data);
      if (!event) this.#refusal = MALFORMED;
      else for (const chunk of this.#readEvent(event)) appendChunk(chunks, chunk);
    }
    return chunks;
  }

  finish(): ModelChunk | null {
    return this.#releaseSignature()[0] ?? null;
  }

  #readEvent(event: JsonFields): WritableChunk[] {
    switch (event["type"]) {
      case "message_start":
        this.#usage = asFields(asFields(event["message"])?.["usage"]) ?? NOTHING;
        return [];
      case "content_block_start":
        return this.#startBlock(event["index"], asFields(event["content_block"]) ?? NOTHING);
      case "content_block_delta":
        return this.#readDelta(event["index"], asFields(event["delta"]) ?? NOTHING);
      case "content_block_stop":
        return [...this.#releaseSignature(), ...this.#endCall(event["index"])];
      case "message_delta":
        return this.#readEnd(asFields(event["delta"]) ?? NOTHING, asFields(event["usage"]));
      case "message_stop":
        this.#isDone = true;
        return this.#releaseSignature();
      case "error":
        this.#refusal = classifyAnthropicEvent(event["error"]);
        return [];
      default:
        // `ping`, and events of later versions, which the API reserves itself to add.
        return [];
    }
  }

  #startBlock(index: unknown, block: JsonFields): WritableChunk[] {
    const before = this.#releaseSignature();
    switch (block["type"]) {
      case "text":
        return [...before, ...textChunk(asText(block["text"]))];
      case "thinking":
        this.#addSignature(asText(block["signature"]));
        return [...before, ...thinkingChunk(asText(block["thinking"]))];
      case "redacted_thinking": {
        const thinking_signature = sealRedacted(this.#by, asText(block["data"]));
        return thinking_signature === undefined ? before : [...before, { thinking_signature }];
      }
      case "tool_use": {
        const id = asText(block["id"]);
        const name = asText(block["name"]);
        const call = this.#calls.resolve(index, { id, name });
        if (this.#silentCalls.size < MAX_TURN_CALLS) {
          this.#silentCalls.set(index, { call, input: block["input"] });
        }
        return [
          ...before,
          { tool_calls: [{ index: call, ...(id && { id }), ...(name && { name }), delta: "" }] },
        ];
      }
      default:
        return before;
    }
  }

  #readDelta(index: unknown, delta: JsonFields): WritableChunk[] {
    switch (delta["type"]) {
      case "text_delta":
        return [...this.#releaseSignature(), ...textChunk(asText(delta["text"]))];
      case "thinking_delta":
        return thinkingChunk(asText(delta["thinking"]));
      case "signature_delta":
        this.#addSignature(asText(delta["signature"]));
        return [];
      case "input_json_delta": {
        const piece = asText(delta["partial_json"]);
        if (piece === "") return [];
        this.#silentCalls.delete(index);
        const call = this.#calls.resolve(index, { id: "", name: "" });
        return [{ tool_calls: [{ index: call, delta: piece }] }];
      }
      default:
        return [];
    }
  }

  /** An input that was not streamed is in the block's start. */
  #endCall(index: unknown): WritableChunk[] {
    const silent = this.#silentCalls.get(index);
    this.#silentCalls.delete(index);
    const input = asFields(silent?.input) ?? NOTHING;
    if (!silent || Object.keys(input).length === 0) return [];
    return [{ tool_calls: [{ index: silent.call, delta: JSON.stringify(input) }] }];
  }

  /** The counts of the end are those of the whole call; members that it leaves out were in the start. */
  #readEnd({ stop_reason }: JsonFields, usage: JsonFields | undefined): WritableChunk[] {
    if (typeof stop_reason === "string") this.#finishReason = stop_reason;
    // The words so far are no answer, and the same request would be refused again.
    if (stop_reason === "refusal") this.#refusal = REFUSED;
    else if (stop_reason) this.#isFinished = true;
    const told = Object.entries(usage ?? NOTHING).filter(([, count]) => count != null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
    return [...this.#releaseSignature(), { usage: readUsage(this.#usage) }];
  }

  /** One that is too long to be stored is not collected further, and dropped. */
  #addSignature(piece: string): void {
    if (this.#signature.length <= MAX_THINKING_SIGNATURE_CHARACTERS) this.#signature += piece;
  }

  #releaseSignature(): WritableChunk[] {
    if (this.#signature === "") return [];
    const thinking_signature = sealSignature(this.#by, this.#signature);
    this.#signature = "";
    return thinking_signature === undefined ? [] : [{ thinking_signature }];
  }
}

function textChunk(text: string): WritableChunk[] {
  return text === "" ? [] : [{ text }];
}

function thinkingChunk(thinking: string): WritableChunk[] {
  return thinking === "" ? [] : [{ thinking }];
}

/** The API counts cached tokens apart from the others; here all are input, as with every other provider. */
function readUsage(usage: JsonFields): Usage {
  const cache_input_tokens = asCount(usage["cache_read_input_tokens"]);
  const cache_creation_input_tokens = asCount(usage["cache_creation_input_tokens"]);
  const fresh = asCount(usage["input_tokens"]);
  return {
    input_tokens: asCount(fresh + cache_input_tokens + cache_creation_input_tokens),
    output_tokens: asCount(usage["output_tokens"]),
    cache_input_tokens,
    cache_creation_input_tokens,
  };
}
