// One response: a model call of the log, with the audio that says its text.
import type { EventOf } from "../../events.ts";
import { findShapeViolation } from "../../json-shape.ts";
import { isJsonObject, type JsonObject } from "../../json-object.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../../requests/limits.ts";
import { TOOL_INPUT_GROWTH } from "./limits.ts";
import {
  agentOf,
  type AudioEventType,
  type RealtimeConnection,
  type RealtimeServerEvent,
} from "./server-events.ts";

interface SaidItem {
  readonly item_id: string;
  isEnded: boolean;
}

interface OpenCall {
  readonly name: string;
  input: string;
  /** The length of the input that was told last. */
  told: number;
}

type Agent = Pick<RealtimeConnection, "agent_id" | "agent_name">;

/** The audio of a frame, in base64. */
interface Audio {
  readonly type: AudioEventType;
  readonly delta: string;
  readonly rate: number;
}

export class OpenResponse {
  readonly reply_id: string;
  readonly seq: number;
  readonly #place: Agent & { readonly response_id: string };
  /** By the numbers of our frames. */
  readonly #items = new Map<number, SaidItem>();
  readonly #blocks = new Map<string, SaidItem>();
  readonly #calls = new Map<string, OpenCall>();
  /** Null until the log has its end. */
  #usage: { readonly input_tokens: number; readonly output_tokens: number } | null = null;
  #status: "completed" | "cancelled" | "incomplete" = "completed";
  /** The last of its audio was taken back, and none came anew. */
  #isCleared = false;

  constructor(
    agent: Agent,
    { reply_id, seq }: { readonly reply_id: string; readonly seq: number },
  ) {
    this.reply_id = reply_id;
    this.seq = seq;
    this.#place = { ...agentOf(agent), response_id: `${reply_id}.${seq}` };
  }

  get isWritten(): boolean {
    return this.#usage !== null;
  }

  /** Whether each piece of audio that has begun has ended. */
  get isSaid(): boolean {
    return [...this.#items.values()].every(({ isEnded }) => isEnded);
  }

  created(): RealtimeServerEvent {
    return { type: "agent_response_created", ...this.#place };
  }

  /** Its last events: texts that were taken back have had no end. */
  done(): readonly RealtimeServerEvent[] {
    const { input_tokens = 0, output_tokens = 0 } = this.#usage ?? {};
    const status = this.#isCleared ? "cancelled" : this.#status;
    const metadata: Record<string, string> = {};
    if (status !== "completed") metadata["status"] = status;
    const usage = { input_tokens, output_tokens };
    const texts = [...this.#blocks.values()].filter(({ isEnded }) => !isEnded);
    return [
      ...texts.map((text) => this.#endText(text)),
      { type: "agent_response_done", ...this.#place, ...usage, metadata },
    ];
  }

  /** The log has no more of it. @param call Its end; null when the reply ended without one. */
  write(call: EventOf<"MODEL_CALL_END"> | null): void {
    const { input_tokens = 0, output_tokens = 0 } = call ?? {};
    this.#usage = { input_tokens, output_tokens };
    if (!call) this.#status = "incomplete";
    if (call?.finished_reason === "interrupted") this.#status = "cancelled";
  }

  audio(item: number, { type, delta, rate }: Audio): RealtimeServerEvent {
    const { item_id } = this.#itemOf(item);
    const format = { type: "audio/pcm", rate } as const;
    return { type, ...this.#place, item_id, delta, format };
  }

  /** @param isCleared The rest of it is not to be played. */
  endAudio(item: number, isCleared: boolean): readonly RealtimeServerEvent[] {
    const said = this.#itemOf(item);
    this.#isCleared = isCleared;
    if (said.isEnded) return [];
    said.isEnded = true;
    return [{ type: "agent_response_audio_done", ...this.#place, item_id: said.item_id }];
  }

  textDelta({ block_id, delta }: EventOf<"TEXT_BLOCK_DELTA">): RealtimeServerEvent {
    const { item_id } = this.#blockOf(block_id);
    return { type: "agent_response_audio_transcript_delta", ...this.#place, item_id, delta };
  }

  textEnd({ block_id }: EventOf<"TEXT_BLOCK_END">): RealtimeServerEvent {
    return this.#endText(this.#blockOf(block_id));
  }

  #endText(text: SaidItem): RealtimeServerEvent {
    text.isEnded = true;
    const { item_id } = text;
    return { type: "agent_response_audio_transcript_done", ...this.#place, item_id };
  }

  callStart({ tool_call_id, tool_call_name }: EventOf<"TOOL_CALL_START">): void {
    this.#calls.set(tool_call_id, { name: tool_call_name, input: "", told: 0 });
  }

  /** Each delta has all of the input so far, so that a long one is told in steps that grow with it. */
  callDelta({ tool_call_id, delta }: EventOf<"TOOL_CALL_DELTA">): readonly RealtimeServerEvent[] {
    const call = this.#calls.get(tool_call_id);
    if (!call) return [];
    call.input += delta;
    if (call.input.length < call.told * TOOL_INPUT_GROWTH) return [];
    call.told = call.input.length;
    return [this.#toolUse("agent_response_tool_use_delta", tool_call_id, call, {})];
  }

  callEnd({ tool_call_id }: EventOf<"TOOL_CALL_END">): readonly RealtimeServerEvent[] {
    const call = this.#calls.get(tool_call_id);
    if (!call) return [];
    this.#calls.delete(tool_call_id);
    const input = objectOf(call.input);
    return [this.#toolUse("agent_response_tool_use_done", tool_call_id, call, input)];
  }

  #toolUse(
    type: "agent_response_tool_use_delta" | "agent_response_tool_use_done",
    id: string,
    { name, input: raw_input }: OpenCall,
    input: JsonObject,
  ): RealtimeServerEvent {
    const tool_use = { type: "tool_use", id, name, input, raw_input } as const;
    return { type, ...this.#place, item_id: id, tool_use };
  }

  /** A text and the audio that says it have the same place among those of the response. */
  #itemOf(item: number): SaidItem {
    const known = this.#items.get(item);
    if (known) return known;
    const said = { item_id: this.#itemId(this.#items.size), isEnded: false };
    this.#items.set(item, said);
    this.#isCleared = false;
    return said;
  }

  #blockOf(blockId: string): SaidItem {
    const known = this.#blocks.get(blockId);
    if (known) return known;
    const text = { item_id: this.#itemId(this.#blocks.size), isEnded: false };
    this.#blocks.set(blockId, text);
    return text;
  }

  #itemId(place: number): string {
    return `${this.#place.response_id}.${place}`;
  }
}

const SHOWN_INPUT = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };

/** Text that is no JSON object, or too deep to be written again, gives an empty one: `raw_input` still has it. */
function objectOf(text: string): JsonObject {
  try {
    if (findShapeViolation(text, SHOWN_INPUT) !== null) return {};
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
