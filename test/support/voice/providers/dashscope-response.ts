// One response of the fake Qwen-Omni, event by event.
import { encodeBase64 } from "../../../../protocol/base64.ts";
import type { Usage } from "../../../../protocol/messages/messages.ts";
import type { BrainItem, FakeBrain } from "./fake-brain.ts";
import type { Frame } from "./fake-provider.ts";

interface ResponseOptions {
  readonly id: string;
  readonly brain: FakeBrain;
  readonly tools: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly isStuck: boolean;
  readonly isTerse: boolean;
  readonly newId: (kind: "item" | "call") => string;
  readonly pace: () => Promise<void>;
  readonly send: (event: Frame) => void;
}

type TextItem = Extract<BrainItem, { type: "text" }>;
type CallItem = Extract<BrainItem, { type: "call" }>;

export class DashScopeResponse {
  readonly #options: ResponseOptions;
  readonly #stop = new AbortController();
  readonly #calls = new Map<number, CallItem>();
  #text: TextItem | null = null;
  #isGone = false;

  constructor(options: ResponseOptions) {
    this.#options = options;
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Ends without a `response.done`. */
  vanish(withItem: boolean): void {
    if (withItem && this.#text) this.#endItem(this.#text.id, "message");
    this.#isGone = true;
    this.#stop.abort();
  }

  async play(): Promise<void> {
    const { id, failure, isStuck, brain, tools, pace } = this.#options;
    const shown = { id, object: "realtime.response", status: "in_progress", output: [] };
    this.#send({ type: "response.created", response: shown });
    if (isStuck) return new Promise(() => undefined);
    let usage: Usage | null = null;
    for await (const piece of brain.answer(tools, this.#stop.signal)) {
      await Promise.race([pace(), aborted(this.#stop.signal)]);
      if (this.#stop.signal.aborted) break;
      if (piece.type === "text") this.#say(piece.delta, piece.audio);
      else if (piece.type === "call") this.#call(piece.index, piece.name, piece.delta);
      else usage = piece.usage;
      if (!failure) continue;
      if (this.#text) brain.remove(this.#text.id);
      break;
    }
    this.#endText();
    if (!this.#stop.signal.aborted) this.#endCalls();
    this.#send({ type: "response.done", response: this.#done(usage) });
  }

  #done(usage: Usage | null): object {
    const { id, failure } = this.#options;
    const counted = usage && {
      total_tokens: usage.input_tokens + usage.output_tokens,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      input_tokens_details: { text_tokens: 1, audio_tokens: 7 },
      output_tokens_details: { text_tokens: 1, audio_tokens: 9 },
    };
    const done = { id, object: "realtime.response", ...(counted && { usage: counted }) };
    if (failure) {
      return { ...done, status: "failed", status_details: { type: "failed", error: failure } };
    }
    return { ...done, status: this.#stop.signal.aborted ? "cancelled" : "completed" };
  }

  #say(delta: string, audio: Uint8Array): void {
    const { id: response_id, brain, newId } = this.#options;
    if (!this.#text) {
      const item = { type: "text", id: newId("item"), role: "assistant", text: "", audioMs: 0 };
      this.#text = item as TextItem;
      brain.items.push(this.#text);
      const shown = { id: item.id, type: "message", role: "assistant", content: [] };
      this.#send({ type: "response.output_item.added", response_id, output_index: 0, item: shown });
      const part = { type: "audio", text: "" };
      this.#send({ type: "response.content_part.added", ...this.#placeOf(this.#text), part });
    }
    const place = this.#placeOf(this.#text);
    this.#text.text += delta;
    this.#send({ type: "response.audio_transcript.delta", ...place, delta });
    if (audio.byteLength === 0) return;
    this.#send({ type: "response.audio.delta", ...place, delta: encodeBase64(audio) });
  }

  /** These events come on interruptions as well. */
  #endText(): void {
    const item = this.#text;
    if (!item) return;
    this.#text = null;
    const place = this.#placeOf(item);
    this.#send({ type: "response.audio_transcript.done", ...place, transcript: item.text });
    this.#send({ type: "response.audio.done", ...place });
    this.#endItem(item.id, "message");
  }

  #call(index: number, name: string | undefined, delta: string): void {
    const { id: response_id, brain, newId } = this.#options;
    this.#endText();
    let call = this.#calls.get(index);
    if (!call) {
      const ids = { id: newId("item"), call_id: newId("call") };
      call = { type: "call", ...ids, name: name ?? "", input: "" };
      this.#calls.set(index, call);
      brain.items.push(call);
      const item = { ...ids, type: "function_call", name: call.name, arguments: "" };
      this.#send({ type: "response.output_item.added", response_id, output_index: 0, item });
    }
    call.input += delta;
    const place = { response_id, item_id: call.id, output_index: 0, call_id: call.call_id };
    this.#send({ type: "response.function_call_arguments.delta", ...place, delta });
  }

  #endCalls(): void {
    const { id: response_id, isTerse } = this.#options;
    for (const { id: item_id, call_id, name, input } of this.#calls.values()) {
      const whole = { ...(!isTerse && { name }), arguments: input };
      const place = { response_id, item_id, output_index: 0, call_id };
      this.#send({ type: "response.function_call_arguments.done", ...place, ...whole });
      this.#endItem(item_id, "function_call");
    }
  }

  #endItem(id: string, type: "message" | "function_call"): void {
    const { id: response_id } = this.#options;
    const item = { id, type, status: "completed" };
    this.#send({ type: "response.output_item.done", response_id, output_index: 0, item });
  }

  #placeOf({ id: item_id }: TextItem) {
    const { id: response_id } = this.#options;
    return { response_id, item_id, output_index: 0, content_index: 0 };
  }

  #send(event: Frame): void {
    if (!this.#isGone) this.#options.send(event);
  }
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
