// Converts the events of a Responses API stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ModelChunk } from "../../../agent/ports.ts";
import { MAX_TURN_CALLS } from "../../../protocol/limits/models.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { appendChunk, type WritableChunk } from "../../stream/append-chunk.ts";
import { CallIndexes } from "../../stream/call-indexes.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { CUT_OFF, MALFORMED, type ModelFailure } from "../../stream/model-failure.ts";
import type { AnswerReader } from "../../stream/stream-answer.ts";
import {
  asBase64,
  asCount,
  asFields,
  asText,
  parseStreamEvent,
} from "../../stream/stream-event.ts";
import { classifyResponseError } from "./response-error.ts";
import { PART_SEPARATOR, sealReasoning, summaryTexts } from "./sealed-reasoning.ts";

const NOTHING: JsonFields = {};

/** Reader of one stream; events must be given in order. */
export class ResponseReader implements AnswerReader {
  readonly #by: string;
  readonly #calls = new CallIndexes();
  /** The calls without any piece of input so far, by index of the item. */
  readonly #silentCalls = new Map<unknown, number>();
  /** The item whose words were streamed last. */
  #saidItem: unknown = null;
  #media = 0;
  #isStream: boolean;
  #isDone = false;
  #refusal: ModelFailure | null = null;
  #finishReason: string | null = null;

  /**
   * @param isStream Whether the response is declared an event stream; otherwise its first event decides.
   * @param by The author of the stream's reasoning.
   */
  constructor(isStream: boolean, by: string) {
    this.#isStream = isStream;
    this.#by = by;
  }

  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  /** A stream is complete with the whole response, the last event, alone. */
  get failure(): ModelFailure | null {
    if (this.#refusal) return this.#refusal;
    if (this.#isDone) return null;
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

  finish(): null {
    return null;
  }

  #readEvent(event: JsonFields): WritableChunk[] {
    const { output_index, delta } = event;
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#saidItem = output_index;
        return textChunk(asText(delta));
      case "response.reasoning_summary_part.added":
        return event["summary_index"] === 0 ? [] : thinkingChunk(PART_SEPARATOR);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#saidItem = output_index;
        return thinkingChunk(asText(delta));
      case "response.output_item.added":
        return this.#startItem(output_index, asFields(event["item"]) ?? NOTHING);
      case "response.function_call_arguments.delta":
        return this.#readInput(output_index, asText(delta));
      case "response.output_item.done":
        return this.#endItem(output_index, asFields(event["item"]) ?? NOTHING);
      case "response.completed":
      case "response.incomplete":
        return this.#end(asFields(event["response"]) ?? NOTHING);
      case "response.failed":
        this.#refusal = classifyResponseError(asFields(event["response"])?.["error"]);
        return [];
      case "error":
        this.#refusal = classifyResponseError(event["error"] ?? withoutType(event));
        return [];
      default:
        // Progress, whole texts that were streamed, and events of later versions.
        return [];
    }
  }

  #startItem(index: unknown, item: JsonFields): WritableChunk[] {
    if (item["type"] !== "function_call") return [];
    const id = asText(item["call_id"]) || asText(item["id"]);
    const name = asText(item["name"]);
    const call = this.#calls.resolve(index, { id, name });
    if (this.#silentCalls.size < MAX_TURN_CALLS) this.#silentCalls.set(index, call);
    return [{ tool_calls: [{ index: call, ...(id && { id }), ...(name && { name }), delta: "" }] }];
  }

  #readInput(index: unknown, piece: string): WritableChunk[] {
    if (piece === "") return [];
    this.#silentCalls.delete(index);
    const call = this.#calls.resolve(index, { id: "", name: "" });
    return [{ tool_calls: [{ index: call, delta: piece }] }];
  }

  /** The whole item. Some endpoints do not stream all of it, so what was not streamed is read here. */
  #endItem(index: unknown, item: JsonFields): WritableChunk[] {
    const wasSaid = this.#saidItem === index;
    switch (item["type"]) {
      case "reasoning": {
        const words = wasSaid ? "" : summaryTexts(item).join(PART_SEPARATOR);
        const thinking_signature = sealReasoning(this.#by, item);
        const proof = thinking_signature === undefined ? [] : [{ thinking_signature }];
        return [...thinkingChunk(words), ...proof];
      }
      case "message": {
        const texts = fieldsIn(item["content"]).map(
          (part) => asText(part["text"]) + asText(part["refusal"]),
        );
        return wasSaid ? [] : textChunk(texts.join("\n"));
      }
      case "function_call": {
        const call = this.#silentCalls.get(index);
        this.#silentCalls.delete(index);
        const input = asText(item["arguments"]);
        return call === undefined || input === ""
          ? []
          : [{ tool_calls: [{ index: call, delta: input }] }];
      }
      case "image_generation_call":
        return this.#readImage(item);
      default:
        return [];
    }
  }

  #readImage(item: JsonFields): WritableChunk[] {
    const data = asBase64(item["result"]);
    if (data === "") return [];
    const format = asText(item["output_format"]) || "png";
    const media_type = /^[a-z]{1,16}$/.test(format) ? `image/${format}` : "image/png";
    const index = this.#media;
    this.#media += 1;
    return [{ data: [{ index, media_type, data }] }];
  }

  /** `incomplete` is the end at a limit of tokens, or by a filter: what was said stays, as with every other provider. */
  #end(response: JsonFields): WritableChunk[] {
    this.#isDone = true;
    const reason = asText(asFields(response["incomplete_details"])?.["reason"]);
    this.#finishReason = reason || asText(response["status"]) || "completed";
    const usage = asFields(response["usage"]);
    return usage ? [{ usage: readUsage(usage) }] : [];
  }
}

/** `{type: "error", code, message}`, in which the type would be taken for a code. */
function withoutType({ type: _type, ...error }: JsonFields): JsonFields {
  return error;
}

function textChunk(text: string): WritableChunk[] {
  return text === "" ? [] : [{ text }];
}

function thinkingChunk(thinking: string): WritableChunk[] {
  return thinking === "" ? [] : [{ thinking }];
}

/** Input includes what was cached, output includes the reasoning. */
function readUsage(usage: JsonFields): Usage {
  const details = asFields(usage["input_tokens_details"]) ?? NOTHING;
  return {
    input_tokens: asCount(usage["input_tokens"]),
    output_tokens: asCount(usage["output_tokens"]),
    cache_input_tokens: asCount(details["cached_tokens"]),
    cache_creation_input_tokens: asCount(details["cache_write_tokens"]),
  };
}
