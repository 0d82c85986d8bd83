// One response of a realtime provider as the chunks of a model call: what it says is text, what it calls are calls.
import type { ModelChunk } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import type { ErrorInfo } from "../../../protocol/messages/messages.ts";

/** Chunks as they come. For one reader. */
export class ResponseChunks implements AsyncIterable<ModelChunk> {
  #responseId: string | null = null;
  #chunks: ModelChunk[] = [];
  #isDone = false;
  #wake: (() => void) | null = null;
  readonly #calls: { readonly id: string; input: string; isDone: boolean }[] = [];

  /** @param event Of the response, or of another one, which is passed over. */
  take(event: VoiceModelEvent): void {
    if (event.type === "session_ended") {
      this.#end({ error: modelError("connection") });
      return;
    }
    if (event.type === "response_created") this.#responseId ??= event.response_id;
    if (!("response_id" in event) || event.response_id !== this.#responseId) return;
    switch (event.type) {
      case "response_audio_transcript_delta":
        if (event.delta !== "") this.#push({ text: event.delta });
        break;
      case "response_tool_use_delta":
        this.#call(event);
        break;
      case "response_tool_use_done":
        this.#endCall(event);
        break;
      case "response_done":
        this.#finish(event);
        break;
      case "response_created":
      case "response_audio_delta":
      case "response_audio_done":
      case "response_audio_transcript_done":
        break;
      default:
        event satisfies never;
    }
  }

  /** Nothing more comes: the provider has refused the response, or has gone. */
  fail(error: ErrorInfo): void {
    this.#end({ error });
  }

  /** Nobody waits for more: the call was stopped. */
  end(): void {
    this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ModelChunk, void> {
    for (;;) {
      const chunks = this.#chunks;
      this.#chunks = [];
      yield* chunks;
      if (this.#chunks.length > 0) continue;
      if (this.#isDone) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #call(event: { readonly call_id: string; readonly name: string; readonly delta: string }): void {
    const { call_id, name, delta } = event;
    const index = this.#calls.findIndex(({ id }) => id === call_id);
    const known = this.#calls[index];
    if (known) {
      known.input += delta;
      this.#push({ tool_calls: [{ index, delta }] });
    } else {
      const next = this.#calls.push({ id: call_id, input: delta, isDone: false }) - 1;
      this.#push({ tool_calls: [{ index: next, id: call_id, name, delta }] });
    }
  }

  /** The whole input. Pieces that are not it are no call that the model has made. */
  #endCall(event: Extract<VoiceModelEvent, { type: "response_tool_use_done" }>): void {
    const { call_id, input } = event;
    // Some providers send no deltas.
    const isKnown = this.#calls.some(({ id }) => id === call_id);
    if (!isKnown) this.#call({ ...event, delta: input });
    const call = this.#calls.find(({ id }) => id === call_id);
    if (!call) return;
    call.isDone = true;
    if (call.input !== input) this.#end({ error: modelError("upstream") });
  }

  #finish(event: Extract<VoiceModelEvent, { type: "response_done" }>): void {
    const { status, usage, error } = event;
    if (usage) this.#push({ usage });
    // One that is cancelled may end before its reply is stopped: half a call of it would be run.
    const isWhole = status === "incomplete" || this.#calls.every(({ isDone }) => isDone);
    if (status === "failed") this.#end({ error: error ?? modelError("upstream") });
    else if (!isWhole) this.#end({ error: modelError("upstream") });
    else if (status === "incomplete") this.#end({ ended_early: "output_limit" });
    else this.#end();
  }

  #push(chunk: ModelChunk): void {
    if (this.#isDone) return;
    this.#chunks.push(chunk);
    this.#wake?.();
    this.#wake = null;
  }

  #end(last?: ModelChunk): void {
    if (last) this.#push(last);
    this.#isDone = true;
    this.#wake?.();
    this.#wake = null;
  }
}
