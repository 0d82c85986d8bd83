// Converts the events of a Messages API stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/models/limits.ts";
import { sealUnsigned } from "../conversation/unsigned-reasoning.ts";
import type { WritableChunk } from "../stream/append-chunk.ts";
import { failureOfFinish } from "../stream/failing-finish.ts";
import { JsonEventReader } from "../stream/json-event-reader.ts";
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";
import { MALFORMED, type ModelFailure } from "../stream/model-failure.ts";
import { asFields, asText } from "../stream/stream-event.ts";
import { textChunk, thinkingChunk } from "../stream/word-chunks.ts";
import { CallBlocks } from "./call-blocks.ts";
import { MessageCounts } from "./message-counts.ts";
import { sealRedacted, sealSignature } from "./sealed-thought.ts";

const NOTHING: JsonFields = {};

/** The model's own refusal: a stop reason instead of an answer. */
const REFUSED: ModelFailure = {
  type: "invalid_request",
  report: { kind: "invalid_request", code: "refusal" },
};

/** A stream is complete after its stop reason: only `message_stop` can be missing then. */
export class MessageReader extends JsonEventReader {
  readonly #calls = new CallBlocks();
  readonly #counts = new MessageCounts();
  #hasToldCounts = false;
  #signature = "";
  /** The open block has a thought that nobody has signed so far. */
  #hasThought = false;
  #hasBlocks = false;
  /** The content that the start of the message has, where no block follows. */
  #offered: readonly JsonFields[] = [];

  override finish(): ModelChunk | null {
    return this.#releaseSignature()[0] ?? null;
  }

  protected override knows(name: string): boolean {
    return /^(?:message|content_block)_/.test(name);
  }

  protected override readMembers(event: JsonFields): WritableChunk[] {
    switch (typeOf(event)) {
      case "message_start":
        return this.#start(asFields(event["message"]) ?? NOTHING);
      case "content_block_start":
        return this.#startBlock(event["index"], asFields(event["content_block"]) ?? NOTHING);
      case "content_block_delta":
        return this.#readDelta(event["index"], asFields(event["delta"]) ?? NOTHING);
      case "content_block_stop":
        return [...this.#releaseSignature(), ...callChunk(this.#calls.stop(event["index"]))];
      case "message_delta":
        return this.#readEnd(asFields(event["delta"]) ?? event, event["usage"]);
      case "message_stop":
        return this.#end(event["usage"]);
      case "message":
        return this.#readWhole(event);
      default:
        // `ping`, and events of later versions, which the API reserves itself to add.
        return [];
    }
  }

  #start(message: JsonFields): WritableChunk[] {
    this.#counts.add(message["usage"]);
    this.#offered = fieldsIn(message["content"]);
    return [];
  }

  #startBlock(index: unknown, block: JsonFields): WritableChunk[] {
    this.#hasBlocks = true;
    const before = this.#releaseSignature();
    const type = blockTypeOf(block);
    if (type !== "tool_use") this.#calls.startOther(index);
    switch (type) {
      case "text":
        return [...before, ...textChunk(asText(block["text"]))];
      case "thinking":
        this.#addSignature(asText(block["signature"]));
        return [...before, ...this.#readThought(asText(block["thinking"]))];
      case "redacted_thinking": {
        const thinking_signature = sealRedacted(this.by, asText(block["data"]));
        return thinking_signature === undefined ? before : [...before, { thinking_signature }];
      }
      case "tool_use": {
        const call = this.#calls.start(index, block);
        if (!call) this.refuse(MALFORMED);
        return [...before, ...callChunk(call)];
      }
      default:
        return before;
    }
  }

  #readDelta(index: unknown, delta: JsonFields): WritableChunk[] {
    this.#hasBlocks = true;
    switch (deltaTypeOf(delta)) {
      case "text_delta":
        return [...this.#releaseSignature(), ...textChunk(asText(delta["text"]))];
      case "thinking_delta":
        return this.#readThought(asText(delta["thinking"]));
      case "signature_delta":
        this.#addSignature(asText(delta["signature"]));
        return [];
      case "input_json_delta": {
        const piece = this.#calls.read(index, delta["partial_json"]);
        if (piece === null) this.refuse(MALFORMED);
        return callChunk(piece);
      }
      default:
        return [];
    }
  }

  #readEnd({ stop_reason }: JsonFields, usage: unknown): WritableChunk[] {
    if (typeof stop_reason === "string" && stop_reason !== "") this.noteFinishReason(stop_reason);
    const failure = typeof stop_reason === "string" ? failureOfFinish(stop_reason) : null;
    // The words so far are no answer, and the same request would be refused again.
    if (stop_reason === "refusal") this.refuse(REFUSED);
    else if (failure) this.refuse(failure);
    else if (stop_reason) this.complete();
    this.#counts.add(usage);
    return [...this.#endBlocks(), ...this.#tellCounts()];
  }

  #end(usage: unknown): WritableChunk[] {
    this.end();
    this.#counts.add(usage);
    return [...this.#endBlocks(), ...(this.#hasToldCounts ? [] : this.#tellCounts())];
  }

  /** The message of an endpoint that answers at once, though a stream was asked for. */
  #readWhole(message: JsonFields): WritableChunk[] {
    this.#start(message);
    const chunks = this.#readEnd(message, undefined);
    if (!this.isOver) this.end();
    return chunks;
  }

  #endBlocks(): WritableChunk[] {
    const blocks = this.#hasBlocks ? [] : this.#offered;
    const chunks = blocks.flatMap((block, index) => this.#startBlock(index, block));
    const calls = this.#calls.stopAll().flatMap((call) => callChunk(call));
    return [...chunks, ...this.#releaseSignature(), ...calls];
  }

  #tellCounts(): WritableChunk[] {
    const usage = this.#counts.read();
    this.#hasToldCounts ||= usage !== null;
    return usage ? [{ usage }] : [];
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

function callChunk(call: ToolCallDelta | null | undefined): WritableChunk[] {
  return call ? [{ tool_calls: [call] }] : [];
}

/** Of an event without a type, what its members say. */
function typeOf(event: JsonFields): unknown {
  const { type, delta } = event;
  if (typeof type === "string") return type;
  if (Array.isArray(event["content"])) return "message";
  if (asFields(event["content_block"])) return "content_block_start";
  const fields = asFields(delta);
  if (!fields) return undefined;
  return fields["stop_reason"] === undefined ? "content_block_delta" : "message_delta";
}

function blockTypeOf(block: JsonFields): string {
  const type = asText(block["type"]);
  if (type !== "") return type;
  if (typeof block["name"] === "string") return "tool_use";
  return typeof block["thinking"] === "string" ? "thinking" : "text";
}

/** Hot path: runs for each token. */
function deltaTypeOf(delta: JsonFields): string {
  const type = asText(delta["type"]);
  if (type !== "") return type;
  const member = ["text", "thinking", "signature"].find((name) => typeof delta[name] === "string");
  if (member !== undefined) return `${member}_delta`;
  return delta["partial_json"] === undefined ? "" : "input_json_delta";
}
