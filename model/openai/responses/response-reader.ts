// Converts the events of a Responses API stream into `ModelChunk`s. Invalid events end the stream with an error.
import type { ToolCallDelta } from "../../../agent/ports.ts";
import { MAX_TURN_CALLS } from "../../../protocol/models/limits.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { readBase64 } from "../../../protocol/read-base64.ts";
import type { WritableChunk } from "../../stream/append-chunk.ts";
import { classifyEvent } from "../../stream/error-event.ts";
import { inputText } from "../../stream/input-text.ts";
import { JsonEventReader } from "../../stream/json-event-reader.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { MALFORMED } from "../../stream/model-failure.ts";
import { asFields, asIndex, asText } from "../../stream/stream-event.ts";
import { textChunk, thinkingChunk } from "../../stream/word-chunks.ts";
import type { ResponseItem } from "./response-item.ts";
import { kindOf, placeOf, ResponseItems, textsOf } from "./response-items.ts";
import { latestUsage } from "./response-usage.ts";
import { PART_SEPARATOR, sealReasoning, sealText } from "./sealed-reasoning.ts";

const NOTHING: JsonFields = {};

/**
 * A stream is complete with the whole response, the last event, alone; where an endpoint leaves that out, with `[DONE]`
 * behind items that have all ended.
 */
export class ResponseReader extends JsonEventReader {
  readonly #items = new ResponseItems();
  #usage: Usage | null = null;
  #calls = 0;
  #media = 0;

  override finish(): null {
    return null;
  }

  protected override knows(name: string): boolean {
    return name.startsWith("response.");
  }

  protected override readEndMarker(): void {
    const { all } = this.#items;
    const isAnswer = all.some(({ kind }) => kind === "message" || kind === "function_call");
    if (isAnswer && all.every(({ isEnded }) => isEnded)) this.end();
  }

  protected override readMembers(event: JsonFields): WritableChunk[] {
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#readText(event);
      case "response.output_text.done":
        return this.#endText(event, asText(event["text"]));
      case "response.refusal.done":
        return this.#endText(event, asText(event["refusal"]));
      case "response.content_part.done":
        return this.#endPart(event, asFields(event["part"]) ?? NOTHING);
      case "response.reasoning_summary_part.added":
        this.#itemOf("reasoning", event).isPartNew = true;
        return [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#readThinking(event);
      case "response.reasoning_summary_text.done":
      case "response.reasoning_text.done":
        return this.#endThinking(event, asText(event["text"]));
      case "response.output_item.added":
        return this.#startItem(event["output_index"], asFields(event["item"]) ?? NOTHING);
      case "response.function_call_arguments.delta":
        return this.#readInput(event);
      case "response.function_call_arguments.done":
        return this.#endInput(event);
      case "response.output_item.done": {
        const whole = asFields(event["item"]) ?? NOTHING;
        return this.#endItem(this.#items.whole(event["output_index"], whole), whole);
      }
      case "response.completed":
      case "response.incomplete":
      case "response.done":
        return this.#end(asFields(event["response"]) ?? event, event["usage"]);
      case "response.failed":
      case "response.cancelled":
        this.refuse(classifyEvent(asFields(event["response"])?.["error"]));
        return [];
      default:
        return this.#readOther(event);
    }
  }

  /** Progress, events of later versions, and a response that was not streamed. */
  #readOther(event: JsonFields): WritableChunk[] {
    if (Array.isArray(event["output"])) return this.#end(event, undefined);
    this.#usage = latestUsage(this.#usage, asFields(event["response"])?.["usage"]);
    return [];
  }

  #itemOf(kind: string, event: JsonFields): ResponseItem {
    return this.#items.resolve(kind, placeOf(event["output_index"], event["item_id"]));
  }

  /** Hot path: runs for each token. */
  #readText(event: JsonFields): WritableChunk[] {
    const words = asText(event["delta"]);
    if (words === "") return [];
    const item = this.#itemOf("message", event);
    return textChunk(item.say(item.content.open(asIndex(event["content_index"])), words, ""));
  }

  #endText(event: JsonFields, text: string): WritableChunk[] {
    if (text === "") return [];
    const item = this.#itemOf("message", event);
    const [part, rest] = item.content.close(asIndex(event["content_index"]), text);
    return textChunk(item.say(part, rest, ""));
  }

  #endPart(event: JsonFields, part: JsonFields): WritableChunk[] {
    if (part["type"] === "reasoning_text") return this.#endThinking(event, asText(part["text"]));
    return this.#endText(event, asText(part["text"]) + asText(part["refusal"]));
  }

  /** A thought has the parts of its summary, and those of its own text where an endpoint shows it. */
  #readThinking(event: JsonFields): WritableChunk[] {
    const words = asText(event["delta"]);
    if (words === "") return [];
    const item = this.#itemOf("reasoning", event);
    const parts = isOfSummary(event) ? item.summary : item.content;
    return thinkingChunk(item.say(parts.open(partIndexOf(event)), words, PART_SEPARATOR));
  }

  #endThinking(event: JsonFields, text: string): WritableChunk[] {
    if (text === "") return [];
    const item = this.#itemOf("reasoning", event);
    const parts = isOfSummary(event) ? item.summary : item.content;
    const [part, rest] = parts.close(partIndexOf(event), text);
    return thinkingChunk(item.say(part, rest, PART_SEPARATOR));
  }

  #startItem(index: unknown, whole: JsonFields): WritableChunk[] {
    const item = this.#items.announce(index, whole);
    return item.kind === "function_call" ? this.#tellCall(item, "") : [];
  }

  #readInput(event: JsonFields): WritableChunk[] {
    const place = placeOf(event["output_index"], event["item_id"]);
    if (this.#items.isForeign("function_call", place)) return [];
    const piece = inputText(event["delta"]);
    if (piece === null) this.refuse(MALFORMED);
    if (!piece) return [];
    const item = this.#items.resolve("function_call", place);
    return item.isInputWhole ? [] : this.#tellCall(item, piece);
  }

  #endInput(event: JsonFields): WritableChunk[] {
    const place = placeOf(event["output_index"], event["item_id"]);
    if (this.#items.isForeign("function_call", place)) return [];
    const item = this.#items.resolve("function_call", place);
    this.#items.describeCall(item, event);
    return this.#tellWholeInput(item, event["arguments"]);
  }

  /** The part of a whole input that was not streamed. */
  #tellWholeInput(item: ResponseItem, value: unknown): WritableChunk[] {
    const whole = inputText(value);
    const isRead = whole !== null && (whole.startsWith(item.input) || isJson(item.input));
    // A beginning that does not fit to its end could be run as if it were all.
    if (!isRead && whole !== "") this.refuse(MALFORMED);
    if (!isRead || whole === "") return [];
    item.isInputWhole = true;
    return this.#tellCall(item, whole.startsWith(item.input) ? whole.slice(item.input.length) : "");
  }

  /** A call begins with its name: pieces before it are kept. */
  #tellCall(item: ResponseItem, piece: string): WritableChunk[] {
    item.input += piece;
    const { call, name, callId, id: itemId } = item;
    if (call !== undefined) return piece === "" ? [] : [callChunk({ index: call, delta: piece })];
    if (name === "") return [];
    // Calls beyond the limit share an index.
    item.call = Math.min(this.#calls, MAX_TURN_CALLS);
    this.#calls += 1;
    const id = callId || itemId;
    return [callChunk({ index: item.call, ...(id && { id }), name, delta: item.input })];
  }

  /** The whole item. Some endpoints do not stream all of it, so what was not streamed is read here. */
  #endItem(item: ResponseItem, whole: JsonFields): WritableChunk[] {
    const wasEnded = item.isEnded;
    item.isEnded = true;
    // Whether its words were said is not known beyond the limit.
    const isKept = !this.#items.isFull || this.#items.all.includes(item);
    switch (item.kind) {
      case "reasoning": {
        const words = isKept ? item.sayAll(textsOf(whole), PART_SEPARATOR) : "";
        const thinking_signature = wasEnded
          ? undefined
          : (sealReasoning(this.by, whole) ?? sealText(this.by, whole, !item.content.isEmpty));
        const proof = thinking_signature === undefined ? [] : [{ thinking_signature }];
        return [...thinkingChunk(words), ...proof];
      }
      case "message":
        return isKept ? textChunk(item.sayAll(textsOf(whole), "")) : [];
      case "function_call": {
        this.#items.describeCall(item, whole);
        const begun = this.#tellCall(item, "");
        const told = this.#tellWholeInput(item, whole["arguments"]);
        const offered = item.input === "" ? item.offered?.["arguments"] : "";
        return [...begun, ...told, ...this.#tellWholeInput(item, offered)];
      }
      case "image_generation_call":
        return wasEnded ? [] : this.#readImage(whole);
      default:
        return [];
    }
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
  #end(response: JsonFields, usage: unknown): WritableChunk[] {
    const status = asText(response["status"]);
    if (response["error"] || status === "failed" || status === "cancelled") {
      this.refuse(classifyEvent(response["error"] ?? status));
      return [];
    }
    const chunks = [...this.#readOutput(fieldsIn(response["output"])), ...this.#endOpenItems()];
    if (this.isOver) return chunks;
    this.end();
    const reason = asText(asFields(response["incomplete_details"])?.["reason"]);
    this.noteFinishReason(reason || status || "completed");
    const counts = latestUsage(latestUsage(this.#usage, usage), response["usage"]);
    return counts ? [...chunks, { usage: counts }] : chunks;
  }

  /** Chunks of the whole response that no event before it has told. */
  #readOutput(output: readonly JsonFields[]): WritableChunk[] {
    const hasSaid = this.#items.all.some(({ kind }) => kind !== "reasoning");
    return this.#items.match(output).flatMap(([whole, found]) => {
      if (found) return this.#endItem(found, whole);
      // A proof has to stand before what follows from it.
      const isLate = hasSaid && kindOf(whole) === "reasoning";
      if (isLate || this.#items.isFull) return [];
      return this.#endItem(this.#items.begin(kindOf(whole), placeOf(undefined, "")), whole);
    });
  }

  /** Ends the items that were announced and never told. */
  #endOpenItems(): WritableChunk[] {
    return this.#items.all.flatMap((item) => {
      const { kind, isEnded, offered } = item;
      const chunks = isEnded || !offered ? [] : this.#endItem(item, offered);
      if (kind !== "function_call" || item.call !== undefined || !offered) return chunks;
      // One of nothing is no call; one with an input has lost its name.
      return item.input === ""
        ? chunks
        : [...chunks, callChunk({ index: this.#calls, delta: item.input })];
    });
  }
}

function isOfSummary({ type }: JsonFields): boolean {
  return asText(type).startsWith("response.reasoning_summary");
}

function partIndexOf(event: JsonFields): number | undefined {
  return asIndex(event[isOfSummary(event) ? "summary_index" : "content_index"]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function callChunk(call: ToolCallDelta): WritableChunk {
  return { tool_calls: [call] };
}
