// One response of the scripted voice: what the scripted model says, as text and audio, and its calls.
import type { ErrorInfo, Msg, Usage } from "../../../protocol/messages/messages.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { MAX_UNPLAYED_MS, SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import type { Model, ModelChunk, ModelRequest, StopSignal } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import type { AudioPace } from "../audio-pace.ts";
import { ToneWriter } from "../tones.ts";
import type { ScriptedConversation } from "./scripted-conversation.ts";

export interface ScriptedResponseSettings {
  readonly model: Model;
  readonly conversation: ScriptedConversation;
  readonly outputRate: number;
  readonly pace: AudioPace;
  readonly tell: (event: VoiceModelEvent) => void;
}

interface OpenText {
  readonly id: string;
  readonly tones: ToneWriter;
  text: string;
  bytes: number;
}

interface OpenCall {
  readonly itemId: string;
  readonly callId: string;
  readonly name: string;
  input: string;
}

/** Texts and calls of a response, for the session's feed. */
export interface SaidParts {
  readonly texts: readonly string[];
  readonly callIds: readonly string[];
}

/** A response under way. */
export class ScriptedResponse {
  readonly id = `resp_${generateId()}`;
  readonly #settings: ScriptedResponseSettings;
  readonly #message: Msg;
  readonly #calls = new Map<number, OpenCall>();
  readonly #texts: string[] = [];
  #text: OpenText | null = null;
  #audioMs = 0;

  constructor(settings: ScriptedResponseSettings) {
    this.#settings = settings;
    this.#message = settings.conversation.begin(this.id);
  }

  /** Ends with `response_done`, whatever happens. A failed one leaves nothing in the conversation: it is made again. */
  async play(request: Omit<ModelRequest, "messages">, stop: StopSignal): Promise<SaidParts> {
    const { conversation, tell } = this.#settings;
    tell({ type: "response_created", response_id: this.id });
    const { usage, error } = await this.#stream(request, stop);
    this.#endText();
    this.#endCalls();
    const done = { type: "response_done", response_id: this.id, usage } as const;
    if (stop.aborted) tell({ ...done, status: "cancelled" });
    else if (error) tell({ ...done, status: "failed", error });
    else tell({ ...done, status: this.#isFull ? "incomplete" : "completed" });
    if (!stop.aborted && error) {
      conversation.forget(this.#message);
      return { texts: [], callIds: [] };
    }
    const callIds = [...this.#calls.values()].map(({ callId }) => callId);
    return { texts: this.#texts, callIds };
  }

  async #stream(
    request: Omit<ModelRequest, "messages">,
    stop: StopSignal,
  ): Promise<{ readonly usage: Usage | null; readonly error?: ErrorInfo }> {
    const { model, conversation, pace } = this.#settings;
    let usage: Usage | null = null;
    try {
      const messages = conversation.messages();
      for await (const chunk of model.stream({ ...request, messages }, stop)) {
        if (stop.aborted) break;
        usage = chunk.usage ?? usage;
        if (chunk.error) return { usage, error: chunk.error };
        const before = this.#audioMs;
        this.#write(chunk);
        if (this.#isFull) break;
        await pace.keep(this.#audioMs - before, stop, () => undefined);
      }
    } catch {
      return { usage, error: modelError("internal") };
    }
    return { usage };
  }

  /** Nobody listens for longer, and the audio of more would fill the memory. */
  get #isFull(): boolean {
    return this.#audioMs >= MAX_UNPLAYED_MS;
  }

  #write({ text, thinking, thinking_signature, tool_calls, data }: ModelChunk): void {
    if (text) this.#say(text);
    else if (thinking || tool_calls || thinking_signature) this.#endText();
    if (thinking || thinking_signature) this.#think(thinking ?? "", thinking_signature);
    for (const piece of tool_calls ?? []) this.#call(piece);
    // Nobody sees pictures of a voice; the script that made them goes on behind them.
    for (const { media_type, data: bytes } of data ?? []) {
      const source = { type: "base64", media_type, data: bytes } as const;
      this.#add({ type: "data", source, name: null, ...blockOf(generateId()) });
    }
  }

  #say(delta: string): void {
    const { outputRate, conversation, tell } = this.#settings;
    if (!this.#text) {
      const id = `item_${generateId()}`;
      this.#text = { id, tones: new ToneWriter(outputRate), text: "", bytes: 0 };
      conversation.add(this.#message, id, { type: "text", text: "", ...blockOf(id) });
    }
    const open = this.#text;
    const ids = { response_id: this.id, item_id: open.id };
    tell({ type: "response_audio_transcript_delta", ...ids, delta });
    const audio = open.tones.write(delta);
    if (audio.byteLength > 0) tell({ type: "response_audio_delta", ...ids, audio });
    open.text += delta;
    open.bytes += audio.byteLength;
    const msOf = (bytes: number) => (bytes / SAMPLE_BYTES / outputRate) * 1_000;
    this.#audioMs += msOf(audio.byteLength);
    const block = { type: "text", text: open.text, ...blockOf(open.id) } as const;
    conversation.change(open.id, block, msOf(open.bytes));
  }

  #endText(): void {
    if (!this.#text) return;
    const ids = { response_id: this.id, item_id: this.#text.id };
    this.#texts.push(this.#text.text);
    this.#text = null;
    this.#settings.tell({ type: "response_audio_transcript_done", ...ids });
    this.#settings.tell({ type: "response_audio_done", ...ids });
  }

  /** Its own alone: the session is not told of it, and the script behind it has to be found again. */
  #think(thinking: string, signature: string | undefined): void {
    const last = this.#settings.conversation.messages().at(-1);
    const open = last?.id === this.id ? last.content.at(-1) : undefined;
    const isOpen = open?.type === "thinking" && open["signature"] === undefined;
    const signed = signature === undefined ? {} : { signature };
    if (!isOpen) {
      const block = { type: "thinking", thinking, ...blockOf(generateId()), ...signed } as const;
      this.#add(block);
    } else {
      const block = { ...open, thinking: open.thinking + thinking, ...signed };
      this.#settings.conversation.change(open.id, block);
    }
  }

  #call({ index, name, delta }: NonNullable<ModelChunk["tool_calls"]>[number]): void {
    let call = this.#calls.get(index);
    if (!call) {
      const callId = `call_${generateId()}`;
      call = { itemId: `item_${generateId()}`, callId, name: name ?? "", input: "" };
      this.#calls.set(index, call);
      this.#add(callBlock(call));
    }
    call.input += delta;
    const { itemId, callId } = call;
    this.#settings.conversation.change(callId, callBlock(call));
    const ids = { response_id: this.id, item_id: itemId, call_id: callId };
    this.#settings.tell({ type: "response_tool_use_delta", ...ids, name: call.name, delta });
  }

  #endCalls(): void {
    for (const { itemId, callId, name, input } of this.#calls.values()) {
      const ids = { response_id: this.id, item_id: itemId, call_id: callId };
      this.#settings.tell({ type: "response_tool_use_done", ...ids, name, input });
    }
  }

  #add(block: ContentBlock): void {
    this.#settings.conversation.add(this.#message, block.id, block);
  }
}

function blockOf(id: string) {
  return { id, created_at: "", finished_at: null };
}

function callBlock({ callId, name, input }: OpenCall): ContentBlock {
  const block = blockOf(callId);
  return { type: "tool_call", name, input, state: "pending", suggested_rules: [], ...block };
}
