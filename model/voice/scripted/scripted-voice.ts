// The embedded voice: a realtime provider without a key or a network. It hears and speaks tones (tones.ts), and says what
// the scripted model says for the same conversation, scripts and calls too.
import type { Model, ModelChunk, ModelRequest, StopSignal } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type {
  VoiceConnection,
  VoiceModel,
  VoiceModelEvent,
  VoiceSetup,
} from "../../../agent/voice/voice-model.ts";
import { generateId } from "../../../protocol/messages/defaults.ts";
import { untilStopped } from "../../../runtime/until-stopped.ts";
import { createScriptedModel } from "../../scripted/scripted-model.ts";
import type { DecideTurn } from "../../scripted/scripted-turn.ts";
import { AudioPace } from "../audio-pace.ts";
import { EventLine } from "../event-line.ts";
import { HeardTurns, type HeardAudio } from "../heard-turns.ts";
import { SCRIPTED_PACE } from "../limits.ts";
import { findRateRefusal, SPEECH_RATE, TRANSCRIPTION_RATE } from "../rates.ts";
import { ConversationFeed } from "../realtime/conversation-feed.ts";
import { ResponseChunks } from "../realtime/response-chunks.ts";
import { describeSpeech } from "./describe-speech.ts";
import { ScriptedConversation, type ItemRefusal } from "./scripted-conversation.ts";
import { ScriptedResponse } from "./scripted-response.ts";

export interface ScriptedVoiceOptions {
  readonly name: string;
  /** 0 sends as fast as it can. */
  readonly tokensPerSecond: number;
  readonly truncation: VoiceModel["truncation"];
  readonly decideTurn: DecideTurn;
  /** Of the audio of all its connections; {@link SCRIPTED_PACE} for each when left out. */
  readonly pace?: AudioPace;
}

const RATES = { input: TRANSCRIPTION_RATE, output: SPEECH_RATE } as const;

export function createScriptedVoice(options: ScriptedVoiceOptions): VoiceModel {
  const { name, truncation } = options;
  return {
    name,
    mode: "realtime",
    rates: RATES,
    truncation,
    open: (setup, onEvent, stop) => {
      const error = findRateRefusal(RATES, setup.rates);
      if (error) return Promise.resolve({ ok: false, error });
      const connection = new ScriptedConnection(options, setup, onEvent);
      if (stop.aborted) connection.close();
      else stop.addEventListener("abort", () => connection.close(), { once: true });
      return Promise.resolve({ ok: true, connection });
    },
  };
}

class ScriptedConnection implements VoiceConnection {
  readonly #line: EventLine;
  readonly #turns: HeardTurns;
  readonly #conversation: ScriptedConversation;
  readonly #feed: ConversationFeed;
  readonly #model: Model;
  readonly #spoken: Model;
  readonly #setup: VoiceSetup;
  readonly #pace: AudioPace;
  /** Of the call whose chunks are read. */
  #chunks: ResponseChunks | null = null;
  /** Of the response under way. */
  #response: AbortController | null = null;
  /** Resolves when no response is under way. */
  #isQuiet: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    {
      name,
      tokensPerSecond,
      decideTurn,
      pace = new AudioPace(SCRIPTED_PACE),
    }: ScriptedVoiceOptions,
    setup: VoiceSetup,
    onEvent: (event: VoiceModelEvent) => void,
  ) {
    this.#setup = setup;
    this.#pace = pace;
    this.#line = new EventLine((event) => {
      onEvent(event);
      this.#chunks?.take(event);
    });
    this.#conversation = new ScriptedConversation(setup.history);
    this.#feed = new ConversationFeed(setup);
    this.#model = createScriptedModel({ name, tokensPerSecond, decideTurn });
    this.#spoken = { ...this.#model, stream: (request, stop) => this.#stream(request, stop) };
    this.#turns = new HeardTurns({
      turns: setup.turns,
      rate: RATES.input,
      tell: (event) => this.#line.tell(event),
      hear: (audio) => this.#hear(audio),
    });
    this.#line.tell({ type: "session_created", session_id: `voice_${generateId()}` });
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

  speaks(): readonly [Model] {
    return [this.#spoken];
  }

  /** One that comes too late is no failure. */
  cancel(): void {
    this.#response?.abort();
  }

  truncate(itemId: string, playedMs: number, playedText: string): void {
    this.#refuse(this.#conversation.truncate(itemId, playedMs, playedText));
  }

  deleteItem(itemId: string): void {
    this.#refuse(this.#conversation.delete(itemId));
  }

  close(): void {
    this.#isClosed = true;
    this.#line.close();
    this.#turns.clear();
    this.#response?.abort();
    this.#chunks?.take({ type: "session_ended", reason: "closed" });
  }

  async *#stream(request: ModelRequest, stop: StopSignal): AsyncGenerator<ModelChunk, void> {
    await untilStopped(this.#isQuiet, stop);
    if (stop.aborted) return;
    if (this.#isClosed) {
      yield { error: modelError("connection") };
      return;
    }
    this.#conversation.take(this.#feed.take(request.messages));
    const chunks = new ResponseChunks();
    const controller = new AbortController();
    const end = () => {
      controller.abort();
      chunks.end();
    };
    stop.addEventListener("abort", end, { once: true });
    this.#chunks = chunks;
    this.#response = controller;
    this.#isQuiet = this.#respond(request, controller.signal);
    try {
      for await (const chunk of chunks) {
        if (stop.aborted) return;
        yield chunk;
      }
    } finally {
      stop.removeEventListener("abort", end);
      controller.abort();
    }
  }

  async #respond(request: ModelRequest, stop: StopSignal): Promise<void> {
    const response = new ScriptedResponse({
      model: this.#model,
      conversation: this.#conversation,
      outputRate: this.#setup.rates.output,
      pace: this.#pace,
      tell: (event) => this.#line.tell(event),
    });
    const { texts, callIds } = await response.play(request, stop);
    for (const text of texts) this.#feed.noteSaid(text);
    for (const id of callIds) this.#feed.noteCalled(id);
    this.#response = null;
  }

  #hear({ item_id, pcm, ms }: HeardAudio): void {
    const transcript = describeSpeech(pcm, RATES.input);
    this.#conversation.hear({ item_id, transcript, ms });
    this.#line.tell({ type: "input_transcription_delta", item_id, delta: transcript });
    this.#line.tell({ type: "input_transcription_done", item_id, transcript, usage: null });
  }

  #refuse(refusal: ItemRefusal | null): void {
    if (refusal && !this.#isClosed) this.#line.tell({ type: "error", ...refusal });
  }
}
