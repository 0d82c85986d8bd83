// Converts the events of a Responses API stream into `ModelChunk`s. Invalid events end the stream with an error.
import { MAX_TURN_BLOCKS } from "../../../protocol/limits/models.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { readBase64 } from "../../../protocol/read-base64.ts";
import type { WritableChunk } from "../../stream/append-chunk.ts";
import { CallIndexes } from "../../stream/call-indexes.ts";
import { classifyEvent } from "../../stream/error-event.ts";
import { JsonEventReader } from "../../stream/json-event-reader.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { asCount, asFields, asText } from "../../stream/stream-event.ts";
import { PART_SEPARATOR, sealReasoning, summaryTexts } from "./sealed-reasoning.ts";

const NOTHING: JsonFields = {};

/** A stream is complete with the whole response, the last event, alone. */
export class ResponseReader extends JsonEventReader {
  readonly #calls = new CallIndexes();
  /** The calls of which a piece of input, or all of it, was read. */
  readonly #toldCalls = new Set<number>();
  /** The items whose words were streamed, by their index. */
  readonly #saidItems = new Set<number>();
  /** A part of a summary has begun, and not yet said anything. */
  #isPartNew = false;
  #media = 0;

  override finish(): null {
    return null;
  }

  protected override knows(name: string): boolean {
    return name.startsWith("response.");
  }

  protected override readMembers(event: JsonFields): WritableChunk[] {
    const { output_index, delta } = event;
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return textChunk(this.#noteSaid(output_index, asText(delta)));
      case "response.reasoning_summary_part.added":
        this.#isPartNew = event["summary_index"] !== 0;
        return [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#readThinking(this.#noteSaid(output_index, asText(delta)));
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
        this.refuse(classifyEvent(asFields(event["response"])?.["error"]));
        return [];
      default:
        // Progress, whole texts that were streamed, and events of later versions.
        return [];
    }
  }

  #startItem(index: unknown, item: JsonFields): WritableChunk[] {
    // Items of other kinds have input too, such as calls that the provider itself runs.
    if (item["type"] !== "function_call") {
      this.#calls.forget(index);
      return [];
    }
    const id = asText(item["call_id"]) || asText(item["id"]);
    const name = asText(item["name"]);
    const call = this.#calls.resolve(index, { id, name });
    return [{ tool_calls: [{ index: call, ...(id && { id }), ...(name && { name }), delta: "" }] }];
  }

  #readInput(index: unknown, piece: string): WritableChunk[] {
    const call = this.#calls.find(index);
    if (piece === "" || call === undefined) return [];
    this.#toldCalls.add(call);
    return [{ tool_calls: [{ index: call, delta: piece }] }];
  }

  /** The whole item. Some endpoints do not stream all of it, so what was not streamed is read here. */
  #endItem(index: unknown, item: JsonFields): WritableChunk[] {
    const wasSaid = this.#wasSaid(index);
    this.#isPartNew = false;
    switch (item["type"]) {
      case "reasoning": {
        const words = wasSaid ? "" : summaryTexts(item).join(PART_SEPARATOR);
        const thinking_signature = sealReasoning(this.by, item);
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
        const begun = this.#calls.find(index) === undefined ? this.#startItem(index, item) : [];
        const call = this.#calls.find(index);
        const isTold = call !== undefined && this.#toldCalls.has(call);
        return isTold ? begun : [...begun, ...this.#readInput(index, asText(item["arguments"]))];
      }
      case "image_generation_call":
        return this.#readImage(item);
      default:
        return [];
    }
  }

  #readThinking(delta: string): WritableChunk[] {
    if (delta === "") return [];
    const separator = this.#isPartNew ? PART_SEPARATOR : "";
    this.#isPartNew = false;
    return thinkingChunk(separator + delta);
  }

  #noteSaid(index: unknown, words: string): string {
    const isNew = words !== "" && typeof index === "number";
    if (isNew && this.#saidItems.size < MAX_TURN_BLOCKS) this.#saidItems.add(index);
    return words;
  }

  /** True also where it is not known, since words twice are worse than none. */
  #wasSaid(index: unknown): boolean {
    if (typeof index !== "number") return this.#saidItems.size > 0;
    return this.#saidItems.size >= MAX_TURN_BLOCKS || this.#saidItems.has(index);
  }

  #readImage(item: JsonFields): WritableChunk[] {
    const data = readBase64(asText(item["result"]));
    if (!data) return [];
    const format = asText(item["output_format"]) || "png";
    const media_type = /^[a-z]{1,16}$/.test(format) ? `image/${format}` : "image/png";
    const index = this.#media;
    this.#media += 1;
    return [{ data: [{ index, media_type, data }] }];
  }

  /** `incomplete` is the end at a limit of tokens, or by a filter: what was said stays, as with every other provider. */
  #end(response: JsonFields): WritableChunk[] {
    this.end();
    const reason = asText(asFields(response["incomplete_details"])?.["reason"]);
    this.noteFinishReason(reason || asText(response["status"]) || "completed");
    const usage = asFields(response["usage"]);
    return usage ? [{ usage: readUsage(usage) }] : [];
  }
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
