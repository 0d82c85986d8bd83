// The answer of one model call while it is written and said: a response of the port, with one item of audio.
import type { StopSignal } from "../../../agent/ports.ts";
import { SentenceCutter, type Sentence } from "../../../agent/voice/sentences.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import type { ErrorInfo } from "../../../protocol/messages/messages.ts";

/** A sentence, with the answer that it is of. */
export interface SpokenSentence {
  readonly answer: SpokenAnswer;
  /** Its part of the answer's text, to the character. */
  readonly delta: string;
  /** The words that are said of it; empty for none. */
  readonly text: string;
}

interface AnswerListener {
  readonly said: (sentences: readonly SpokenSentence[]) => void;
  /** The answer was ended, or is over. */
  readonly changed: () => void;
}

const SPEECH_FAILED: ErrorInfo = {
  type: "upstream",
  message: "The answer could not be said aloud; its text is whole.",
};

export class SpokenAnswer {
  readonly #tell: (event: VoiceModelEvent) => void;
  readonly #listener: AnswerListener;
  readonly #ids = { response_id: `resp_${generateId()}`, item_id: `item_${generateId()}` };
  readonly #cutter = new SentenceCutter();
  readonly #controller = new AbortController();
  /** The text that is in no sentence yet, and where it begins in the whole. */
  #text = "";
  #start = 0;
  /** Sentences that were not told to their end. */
  #untold = 0;
  #isWritten = false;
  #hasItem = false;
  #status: "completed" | "cancelled" | "failed" = "completed";
  #error: ErrorInfo | undefined;
  #isDone = false;

  constructor(tell: (event: VoiceModelEvent) => void, listener: AnswerListener) {
    this.#tell = tell;
    this.#listener = listener;
    tell({ type: "response_created", response_id: this.#ids.response_id });
  }

  /** Aborted when nothing more of it is said. */
  get stop(): StopSignal {
    return this.#controller.signal;
  }

  /** Nothing more of it is said. */
  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  push(delta: string): void {
    if (this.isOver || this.#isWritten) return;
    this.#text += delta;
    this.#say(this.#cutter.push(delta));
  }

  /** All is written. */
  end(): void {
    if (this.#isWritten) return;
    this.#isWritten = true;
    if (!this.isOver) this.#say(this.#cutter.end());
    this.#listener.changed();
  }

  /** The model call has failed: it is made again, or another one is made. */
  fail(error: ErrorInfo): void {
    this.#isWritten = true;
    this.#over("failed", error);
    this.#listener.changed();
  }

  /** Tells its line nothing, as {@link break}: the line has ended it. */
  cancel(): void {
    this.#over("cancelled");
  }

  /** A sentence could not be said; the rest is not. */
  break(): void {
    this.#over("failed", SPEECH_FAILED);
  }

  tellText(delta: string): void {
    this.#hasItem = true;
    this.#tell({ type: "response_audio_transcript_delta", ...this.#ids, delta });
  }

  tellAudio(audio: Uint8Array): void {
    this.#tell({ type: "response_audio_delta", ...this.#ids, audio });
  }

  noteTold(): void {
    this.#untold -= 1;
  }

  /** @returns Whether it has ended. */
  endIfTold(): boolean {
    if (this.#isDone) return true;
    if (!this.isOver && (!this.#isWritten || this.#untold > 0)) return false;
    this.#isDone = true;
    if (this.#hasItem) {
      this.#tell({ type: "response_audio_transcript_done", ...this.#ids });
      this.#tell({ type: "response_audio_done", ...this.#ids });
    }
    const { response_id } = this.#ids;
    const error = this.#error && { error: this.#error };
    this.#tell({
      type: "response_done",
      response_id,
      status: this.#status,
      // The loop counts that of the model call.
      usage: null,
      ...error,
    });
    return true;
  }

  #over(status: "cancelled" | "failed", error?: ErrorInfo): void {
    if (this.isOver || this.#isDone) return;
    this.#status = status;
    this.#error = error;
    this.#controller.abort();
  }

  #say(sentences: readonly Sentence[]): void {
    const spoken = sentences.map(({ start, end, text }) => {
      const delta = this.#text.slice(start - this.#start, end - this.#start);
      return { answer: this, delta, text };
    });
    const end = sentences.at(-1)?.end ?? this.#start;
    this.#text = this.#text.slice(end - this.#start);
    this.#start = end;
    this.#untold += spoken.length;
    if (spoken.length > 0) this.#listener.said(spoken);
  }
}
