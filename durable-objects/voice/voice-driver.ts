// The voice of a session: drives the engine of its voice connections, of which it does what has to be done. One for the clients
// that are connected, or come back while a reply is still said.
import { advance, openVoice } from "../../agent/voice/engine/advance.ts";
import { isTurnOpen } from "../../agent/voice/engine/is-turn-open.ts";
import type { VoiceEffect } from "../../agent/voice/engine/voice-effect.ts";
import type { VoiceInput } from "../../agent/voice/engine/voice-input.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import { SessionHandles } from "../../model/voice/gemini/session-handles.ts";
import type { ErrorCode, Refusal } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { Models, ReplyVoice } from "../replies/spoken-replies.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { madeMedia } from "../settings/made-media.ts";
import { AudioKeeper } from "./audio-keeper.ts";
import { openProvider, type VoiceFacts } from "./open-provider.ts";
import { Pictures } from "./pictures.ts";
import { ProviderLine } from "./provider-line.ts";
import { voiceOf } from "./refuse-voice.ts";
import { RoomWords } from "./room-words.ts";
import { VoiceActs, type KeptChange } from "./voice-acts.ts";
import type { VoiceClient } from "./voice-client.ts";
import { VoiceClients } from "./voice-clients.ts";
import { VoiceTimer } from "./voice-timer.ts";

interface DriverOptions {
  readonly session: OpenSession;
  readonly env: Env;
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly voice: VoiceSettings;
  readonly model: VoiceFacts;
  /** Nothing of it is left. Called also when its owner has been told that before. */
  readonly over: () => void;
}

type Input = VoiceInput extends infer One
  ? One extends { readonly now: number }
    ? Omit<One, "now">
    : never
  : never;

interface QueuedInput {
  readonly input: Input;
  /** The audio of an input of that kind, at the model's rate. */
  readonly pcm: Uint8Array | null;
  /** The client whose frame it is. */
  readonly from: VoiceClient | null;
}

const SECOND_MS = 1_000;
/** Replies that are known to be spoken: one runs or waits, some are queued behind it. */
const MAX_SPOKEN = 64;

export class VoiceDriver implements ReplyVoice {
  readonly mode: VoiceFacts["mode"];
  readonly model: VoiceFacts;
  readonly pictures: Pictures;
  readonly clients: VoiceClients;
  readonly #options: DriverOptions;
  readonly #provider: ProviderLine;
  readonly #acts: VoiceActs;
  readonly #timer: VoiceTimer;
  /** Null for an agent that keeps no audio. */
  readonly #keeper: AudioKeeper | null;
  readonly #spoken = new Set<string>();
  readonly #handles = new SessionHandles();
  readonly #stop = new AbortController();
  #state: VoiceState;
  /** Null for a client that is not the session's room. */
  #room: RoomWords | null = null;
  /** The actor of what is done now, or was last. */
  #actor: VoiceClient["actor"] | null = null;
  #queue: QueuedInput[] = [];
  #isDraining = false;
  /** Acts under way may still tell something: it is for nobody, and the tables of the session may be gone. */
  #isDisposed = false;
  #nowMs = 0;

  constructor(options: DriverOptions) {
    const { session, env, voice, model, inBackground } = options;
    this.#options = options;
    this.mode = model.mode;
    this.model = model;
    const settings = {
      mode: model.mode,
      rates: model.rates,
      truncation: model.truncation,
      takes_text: model.takesText,
      idle_ms: voice.idle_seconds * SECOND_MS,
      keeps_audio: voice.keep_audio,
    };
    this.#state = openVoice(settings, session.openReply?.id);
    this.#provider = new ProviderLine({
      model,
      open: (onEvent, stop) => {
        const turns = this.#state.client?.turns ?? "manual";
        const { instructions } = this.clients;
        const refused = ({ code, detail }: Refusal) => this.clients.fail(code, detail);
        const asked = { voice, turns, instructions, handles: this.#handles };
        return openProvider(session, env, { ...asked, onEvent, stop, refused });
      },
      inBackground,
      tell: (input) => this.tell(input),
      isHeard: () => !this.clients.isEmpty,
      instructions: () => this.clients.instructions,
    });
    this.clients = new VoiceClients({
      voice,
      rate: model.rates.input,
      isTurnOpen: () => isTurnOpen(this.#state),
      tell: (input, from, pcm) => this.tell(input, pcm, from),
    });
    this.pictures = new Pictures(session, env, this.#stop.signal);
    this.#acts = new VoiceActs({
      session,
      actor: () => this.#actorNow(),
      tell: (input) => this.tell(input),
      speaksReply: (replyId) => this.#speaks(replyId),
      takePictures: () => this.pictures.take(),
      placed: (item, messageId) => this.#keeper?.placed(item, messageId),
    });
    const keeping = () => ({
      media: madeMedia(env, session.init, this.#stop.signal),
      rates: model.rates,
      inBackground,
      keep: (change: KeptChange) => this.#acts.keep(change),
      failed: (code: ErrorCode, detail: string) => this.clients.fail(code, detail),
    });
    this.#keeper = voice.keep_audio ? new AudioKeeper(keeping()) : null;
    this.#timer = new VoiceTimer(session.tables.timers, () => {
      this.clients.tick();
      this.tell({ type: "tick" });
    });
  }

  /** Whether nothing of it is left: no client, and nothing that is still said. */
  get isOver(): boolean {
    return this.clients.isEmpty && this.#provider.isClosed;
  }

  isSpoken(replyId: string): boolean {
    return this.#spoken.has(replyId);
  }

  beginsTurn(replyId: string): void {
    if (!this.#room || this.#isDisposed) return;
    this.#speaks(replyId);
    // No turn of a user of this connection, whose numbers begin at 1.
    const input = { type: "reply_begun", turn: 0, reply_id: replyId, message_id: null } as const;
    this.#queue.push({ input, pcm: null, from: null });
    queueMicrotask(() => this.#drain());
  }

  speaksFor(init: SessionInit): boolean {
    const voice = voiceOf(init, this.mode);
    if (!voice.ok) this.disconnect(voice.refusal.code, voice.refusal.detail);
    return voice.ok;
  }

  speaks(models: Models): Models {
    return this.#provider.speaks(models);
  }

  /** State of a connection that was known before the object slept. */
  restore({ next_item, spoken }: Pick<VoiceState, "next_item" | "spoken">): void {
    for (const id of spoken) this.#spoken.add(id);
    const before = this.#state;
    this.#state = {
      ...before,
      next_item: Math.max(before.next_item, next_item),
      spoken: [...new Set([...before.spoken, ...spoken])],
    };
  }

  /** The client's `start` was taken, now or before the object slept. One too many takes the place of another. */
  connect(client: VoiceClient): void {
    this.#actor ??= client.actor;
    this.clients.connect(client);
    this.#room = client.isRoom ? this.#wordsFor(client) : null;
  }

  /** The client's socket has gone. */
  left(socket: WebSocket): void {
    this.clients.left(socket);
    if (this.clients.isEmpty) this.#room = null;
  }

  /** Closes all its clients. */
  disconnect(code: ErrorCode, detail: string): void {
    this.clients.disconnect(code, detail);
    this.#room = null;
  }

  /** The session is being removed: nothing is said any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#queue = [];
    this.#stop.abort();
    this.#timer.stop();
    // The tables of an erased session are gone.
    if (!this.#options.session.log.isClosed) this.#timer.clearAlarm();
    this.#provider.close();
    this.clients.dispose();
  }

  logged(event: LoggedEvent): void {
    if (this.#isDisposed) return;
    this.#queue.push({ input: { type: "logged", event }, pcm: null, from: null });
    // Not within the append: what follows of it may append itself.
    queueMicrotask(() => this.#drain());
  }

  onTimer(): void {
    this.#timer.ring();
  }

  /** @param pcm Of an input of audio. @param from The client whose frame it is. */
  tell(input: Input, pcm: Uint8Array | null = null, from: VoiceClient | null = null): void {
    if (this.#isDisposed) return;
    this.#queue.push({ input, pcm, from });
    this.#drain();
  }

  #drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const inputs: Input[] = [];
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        this.#nowMs = Math.max(this.#nowMs, Date.now());
        const input = { ...next.input, now: this.#nowMs } as VoiceInput;
        const { next_turn } = this.#state;
        const { state, effects } = advance(this.#state, input);
        this.clients.watch(this.#state, state, input);
        this.#state = state;
        this.#actor = next.from?.actor ?? this.clients.speaker?.actor ?? this.#actor;
        for (let turn = next_turn; turn < state.next_turn; turn += 1) {
          this.#acts.noteTurn(turn, this.#actorNow());
        }
        if (this.#room) inputs.push(next.input);
        if (!this.#isDisposed) this.#keeper?.watch(state, effects, next.pcm);
        for (const effect of effects) if (!this.#isDisposed) this.#perform(effect, next);
      }
    } finally {
      this.#isDraining = false;
    }
    this.#room?.settle(inputs, this.#state);
    const { next_item } = this.#state;
    this.clients.note({ next_item });
    const atMs = this.clients.dueBefore(this.#state.scheduled_ms);
    if (!this.#isDisposed) this.#timer.set(atMs, this.#provider.isClosed);
    if (this.isOver) queueMicrotask(() => this.#noteOver());
  }

  /** Behind the step that may have brought a new client. */
  #noteOver(): void {
    if (this.isOver && !this.#isDisposed) this.#options.over();
  }

  #perform(effect: VoiceEffect, { pcm, from }: QueuedInput): void {
    this.#room?.watch(effect, this.#state);
    switch (effect.type) {
      case "send":
        return this.clients.send(effect, from);
      case "send_audio":
        return this.clients.sendAudio(effect);
      case "provider":
        return this.#provider.perform(effect.command, pcm);
      case "item_over":
        // The keeper has seen it.
        return;
      case "schedule":
        // Behind the step, with what the connections wait for.
        return;
      default:
        return this.#options.inBackground(this.#acts.perform(effect));
    }
  }

  #wordsFor(client: VoiceClient): RoomWords {
    return new RoomWords({
      send: (frame) => client.send(frame),
      settled: () => this.#acts.settled(),
      inBackground: this.#options.inBackground,
    });
  }

  #actorNow(): VoiceClient["actor"] {
    if (this.#actor) return this.#actor;
    throw new Error("a voice connection acts for nobody");
  }

  #speaks(replyId: string): void {
    this.#spoken.add(replyId);
    const [oldest] = this.#spoken;
    if (this.#spoken.size > MAX_SPOKEN && oldest !== undefined) this.#spoken.delete(oldest);
    this.clients.note({ spoken: [...this.#spoken] });
  }
}
