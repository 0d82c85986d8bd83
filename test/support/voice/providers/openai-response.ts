// One response of the fake Realtime API, event by event.
import type { RealtimeResponse, RealtimeServerEvent } from "openai/resources/realtime/realtime";

import type { Usage } from "../../../../protocol/messages/messages.ts";
import { encodeBase64 } from "../../../../protocol/base64.ts";
import { AUDIO_RATE, type BrainItem, type FakeBrain } from "./fake-brain.ts";

/** Each member of the union alone, without the id that its sender gives it. */
type Unsent<Event> = Event extends unknown ? Omit<Event, "event_id"> : never;

interface ResponseOptions {
  readonly id: string;
  readonly brain: FakeBrain;
  readonly tools: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly isStuck: boolean;
  /** xAI's names of text. */
  readonly isOldText: boolean;
  readonly newId: (kind: "item" | "call") => string;
  readonly pace: () => Promise<void>;
  readonly send: (event: Unsent<RealtimeServerEvent>) => void;
}

interface OpenText {
  readonly item: Extract<BrainItem, { type: "text" }>;
  readonly output_index: number;
  bytes: number;
}

export class OpenAiResponse {
  readonly #options: ResponseOptions;
  readonly #stop = new AbortController();
  #outputs = 0;
  #text: OpenText | null = null;
  readonly #calls = new Map<number, { item: Extract<BrainItem, { type: "call" }>; at: number }>();

  constructor(options: ResponseOptions) {
    this.#options = options;
  }

  cancel(): void {
    this.#stop.abort();
  }

  async play(): Promise<void> {
    const { id, failure, isStuck, send, brain, tools, pace } = this.#options;
    send({ type: "response.created", response: { id, status: "in_progress" } });
    send({ type: "rate_limits.updated", rate_limits: [] });
    if (isStuck) return new Promise(() => undefined);
    let usage: Usage | null = null;
    for await (const piece of brain.answer(tools, this.#stop.signal)) {
      await Promise.race([pace(), aborted(this.#stop.signal)]);
      if (this.#stop.signal.aborted) break;
      if (piece.type === "text") this.#say(piece.delta, piece.audio);
      else if (piece.type === "call") this.#call(piece.index, piece.name, piece.delta);
      else usage = piece.usage;
      if (failure) break;
    }
    this.#endText();
    this.#endCalls();
    send({ type: "response.done", response: this.#done(usage) });
  }

  #done(usage: Usage | null): RealtimeResponse {
    const { id, failure } = this.#options;
    const counted = usage && {
      total_tokens: usage.input_tokens + usage.output_tokens,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      input_token_details: { text_tokens: 1, audio_tokens: 7, cached_tokens: 3 },
      output_token_details: { text_tokens: 1, audio_tokens: 9 },
    };
    const done = { id, object: "realtime.response", ...(counted && { usage: counted }) } as const;
    if (failure) {
      const { code } = failure;
      const error = { type: "server_error", code, message: failure.message };
      return { ...done, status: "failed", status_details: { type: "failed", error } };
    }
    if (!this.#stop.signal.aborted) return { ...done, status: "completed" };
    const details = { type: "cancelled", reason: "client_cancelled" } as const;
    return { ...done, status: "cancelled", status_details: details };
  }

  #say(delta: string, audio: Uint8Array): void {
    const { id: response_id, brain, newId, send } = this.#options;
    if (!this.#text) {
      const id = newId("item");
      const item = { type: "text", id, role: "assistant", text: "", audioMs: 0 } as const;
      const open = { item: { ...item }, output_index: this.#outputs++, bytes: 0 };
      this.#text = open;
      brain.items.push(open.item);
      const { output_index } = open;
      const shown = { id, type: "message", role: "assistant", content: [] } as never;
      send({ type: "response.output_item.added", response_id, output_index, item: shown });
      const place = { response_id, item_id: id, output_index, content_index: 0 };
      const part = { type: "audio", transcript: "" } as const;
      send({ type: "response.content_part.added", ...place, part });
    }
    const open = this.#text;
    const place = this.#placeOf(open);
    send({ type: "response.output_audio_transcript.delta", ...place, delta });
    if (audio.byteLength > 0) {
      send({ type: "response.output_audio.delta", ...place, delta: encodeBase64(audio) });
    }
    open.bytes += audio.byteLength;
    open.item.text += delta;
    open.item.audioMs = Math.floor((open.bytes / 2 / AUDIO_RATE) * 1_000);
  }

  /** These events come on interruptions as well. */
  #endText(): void {
    const open = this.#text;
    if (!open) return;
    this.#text = null;
    const { send, isOldText } = this.#options;
    const place = this.#placeOf(open);
    send({ type: "response.output_audio.done", ...place });
    const transcript = open.item.text;
    send({ type: "response.output_audio_transcript.done", ...place, transcript });
    if (isOldText) send({ type: "response.text.done", ...place, text: transcript } as never);
  }

  #call(index: number, name: string | undefined, delta: string): void {
    const { id: response_id, brain, newId, send } = this.#options;
    this.#endText();
    let call = this.#calls.get(index);
    if (!call) {
      const item = {
        type: "call",
        id: newId("item"),
        call_id: newId("call"),
        name: name ?? "",
        input: "",
      } as const;
      call = { item: { ...item }, at: this.#outputs++ };
      this.#calls.set(index, call);
      brain.items.push(call.item);
      const { id, call_id } = item;
      const shown = { id, type: "function_call", call_id, name: item.name, arguments: "" } as const;
      const output_index = call.at;
      send({ type: "response.output_item.added", response_id, output_index, item: shown });
    }
    call.item.input += delta;
    const { id: item_id, call_id } = call.item;
    const place = { response_id, item_id, call_id, output_index: call.at };
    send({ type: "response.function_call_arguments.delta", ...place, delta });
  }

  #endCalls(): void {
    const { id: response_id, send } = this.#options;
    for (const { item, at: output_index } of this.#calls.values()) {
      const { id: item_id, call_id, name, input } = item;
      const place = { response_id, item_id, call_id, output_index };
      const type = "response.function_call_arguments.done";
      send({ type, ...place, name, arguments: input } as Unsent<RealtimeServerEvent>);
    }
  }

  #placeOf({ item, output_index }: OpenText) {
    const { id: response_id } = this.#options;
    return { response_id, item_id: item.id, output_index, content_index: 0 };
  }
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
