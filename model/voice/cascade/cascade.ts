// The cascade: a model that writes speech down, the agent's own models, and a model that says their text. There is no
// connection to a provider: each turn and each sentence is a request.
import type { Model } from "../../../agent/ports.ts";
import type {
  VoiceConnection,
  VoiceModel,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import { EventLine } from "../event-line.ts";
import { HeardTurns, type HeardAudio } from "../heard-turns.ts";
import { MAX_SPEECH_AHEAD_MS, MAX_WAITING_TRANSCRIPTIONS } from "../limits.ts";
import { findRateRefusal } from "../rates.ts";
import type { SpeechPort, TranscriptionPort } from "./ports.ts";
import { sayAnswer } from "./say-answer.ts";
import { SpeechLine } from "./speech-line.ts";

export interface CascadeSettings {
  readonly transcription: TranscriptionPort;
  readonly speech: SpeechPort;
  /** Milliseconds of audio that are said ahead of time; {@link MAX_SPEECH_AHEAD_MS} when left out. */
  readonly aheadMs?: number;
}

export function createCascade(settings: CascadeSettings): VoiceModel {
  const { transcription, speech } = settings;
  const rates = { input: transcription.rate, output: speech.rate };
  return {
    name: "cascade",
    mode: "cascade",
    rates,
    truncation: "explicit",
    open: (setup, onEvent, stop) => {
      const error = findRateRefusal(rates, setup.rates);
      if (error) return Promise.resolve({ ok: false, error });
      const connection = new CascadeConnection(settings, setup, onEvent);
      if (stop.aborted) connection.close();
      else stop.addEventListener("abort", () => connection.close(), { once: true });
      return Promise.resolve({ ok: true, connection });
    },
  };
}

class CascadeConnection implements VoiceConnection {
  readonly #transcription: TranscriptionPort;
  readonly #line: EventLine;
  readonly #turns: HeardTurns;
  readonly #speech: SpeechLine;
  readonly #closing = new AbortController();
  /** Turns are written down one after the other, so that they are answered in order. */
  #transcribed: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    { transcription, speech, aheadMs = MAX_SPEECH_AHEAD_MS }: CascadeSettings,
    { turns }: VoiceSetup,
    onEvent: (event: VoiceModelEvent) => void,
  ) {
    this.#transcription = transcription;
    this.#line = new EventLine(onEvent);
    const tell = (event: VoiceModelEvent) => this.#line.tell(event);
    this.#speech = new SpeechLine({ speech, tell, aheadMs, now: () => Date.now() });
    this.#turns = new HeardTurns({
      turns,
      rate: transcription.rate,
      tell,
      hear: (audio) => this.#hear(audio),
    });
    tell({ type: "session_created", session_id: `voice_${generateId()}` });
  }

  appendAudio(pcm: Uint8Array): void {
    if (!this.#isClosed) this.#turns.append(pcm);
  }

  commit(): void {
    if (!this.#isClosed) this.#turns.commit();
  }

  clear(): void {
    this.#turns.clear();
  }

  speaks(models: readonly [Model, ...Model[]]): readonly [Model, ...Model[]] {
    const [first, ...others] = models;
    return [this.#spoken(first), ...others.map((model) => this.#spoken(model))];
  }

  cancel(): void {
    this.#speech.cancel();
  }

  /** The conversation is the session's alone, which has what was heard. */
  truncate(): void {}

  deleteItem(): void {}

  close(): void {
    this.#closing.abort();
    this.#line.close();
    this.#turns.clear();
    this.#speech.cancel();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #spoken(model: Model): Model {
    return {
      ...model,
      stream: (request, stop, report) => {
        const chunks = model.stream(request, stop, report);
        return this.#isClosed ? chunks : sayAnswer(this.#speech, chunks, stop);
      },
    };
  }

  #hear(audio: HeardAudio): void {
    if (this.#waiting >= MAX_WAITING_TRANSCRIPTIONS) {
      const message = "Too many turns wait for their text.";
      this.#tellFailure(audio, { code: "transcription_failed", message });
      return;
    }
    this.#waiting += 1;
    this.#transcribed = this.#transcribed.then(async () => {
      await this.#transcribe(audio);
      this.#waiting -= 1;
    });
  }

  async #transcribe(audio: HeardAudio): Promise<void> {
    const { item_id, pcm } = audio;
    const stop = this.#closing.signal;
    if (stop.aborted) return;
    const transcript = await this.#transcription.transcribe(pcm, stop, (delta) =>
      this.#line.tell({ type: "input_transcription_delta", item_id, delta }),
    );
    if (!transcript.ok) this.#tellFailure(audio, transcript.failure);
    else {
      const { text, usage } = transcript;
      this.#line.tell({ type: "input_transcription_done", item_id, transcript: text, usage });
    }
  }

  #tellFailure(
    { item_id }: HeardAudio,
    failure: { readonly code: string; readonly message: string },
  ): void {
    this.#line.tell({ type: "error", ...failure, item_id });
  }
}
