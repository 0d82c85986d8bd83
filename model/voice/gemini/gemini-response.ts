// One response of Gemini's, which has no names for what it says: ids are ours, and its end is found.
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import type { ServerContent } from "./gemini-frames.ts";
import { CALLS_MS, GENERATED_MS, LATE_TEXT_MS, MAX_CALLS } from "./limits.ts";

type Status = Extract<VoiceModelEvent, { type: "response_done" }>["status"];

/** A call that can be run. */
export interface WholeCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

interface ResponsePort {
  tell(event: VoiceModelEvent): void;
  /** The id that the session gives a call is ours: Gemini may repeat its own on another connection. */
  called(callId: string, call: WholeCall): void;
  usage(): Usage | null;
}

export class GeminiResponse {
  readonly id = `resp_${generateId()}`;
  readonly #port: ResponsePort;
  readonly #ids = { response_id: this.id, item_id: `item_${generateId()}` };
  #hasText = false;
  #hasAudio = false;
  #isTextOver = false;
  #isAudioOver = false;
  #calls = 0;
  #status: Status = "completed";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(port: ResponsePort) {
    this.#port = port;
  }

  begin(): void {
    this.#port.tell({ type: "response_created", response_id: this.id });
  }

  take(content: ServerContent): void {
    if (this.#isOver) return;
    for (const { pcm } of content.audio) this.#sound(pcm);
    if (content.said) this.#say(content.said);
    if (content.isInterrupted) this.#status = "cancelled";
    if (content.isGenerated) {
      this.#endAudio();
      this.#endWithin(GENERATED_MS);
    }
    if (!content.isComplete) return;
    const mayFollow = this.#hasAudio && !this.#isTextOver && this.#status === "completed";
    if (mayFollow) this.#endWithin(LATE_TEXT_MS);
    else this.end();
  }

  /** Gemini waits for the results: what it says to them is another response. */
  call(calls: readonly WholeCall[]): void {
    if (this.#isOver) return;
    for (const call of calls.slice(0, MAX_CALLS - this.#calls)) {
      const call_id = `call_${generateId()}`;
      const ids = { response_id: this.id, item_id: `item_${generateId()}`, call_id };
      this.#calls += 1;
      this.#port.called(call_id, call);
      const { name, input } = call;
      this.#port.tell({ type: "response_tool_use_done", ...ids, name, input });
    }
    this.#endWithin(CALLS_MS);
  }

  end(status: Status = this.#status): void {
    if (this.#isOver) return;
    this.#endText();
    this.#endAudio();
    this.drop();
    const usage = this.#port.usage();
    this.#port.tell({ type: "response_done", response_id: this.id, status, usage });
  }

  /** The response has ended otherwise, and is told of no more. */
  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #sound(audio: Uint8Array): void {
    if (this.#isAudioOver) return;
    this.#hasAudio = true;
    this.#port.tell({ type: "response_audio_delta", ...this.#ids, audio });
  }

  #say({ text, isFinished }: { readonly text: string; readonly isFinished: boolean }): void {
    if (this.#isTextOver) return;
    if (text !== "") {
      this.#hasText = true;
      const delta = { ...this.#ids, delta: text };
      this.#port.tell({ type: "response_audio_transcript_delta", ...delta });
    }
    if (isFinished) this.#endText();
  }

  #endText(): void {
    if (this.#isTextOver) return;
    this.#isTextOver = true;
    if (this.#hasText) this.#port.tell({ type: "response_audio_transcript_done", ...this.#ids });
  }

  #endAudio(): void {
    if (this.#isAudioOver) return;
    this.#isAudioOver = true;
    if (this.#hasAudio) this.#port.tell({ type: "response_audio_done", ...this.#ids });
  }

  #endWithin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), ms);
  }
}
