// A session that speaks: what an app hears of it and says to it, over any number of connections.
import type { LoggedEvent } from "../../protocol/events.ts";
import { audioMs, decodeAudioFrame, encodeAudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { ClientFrameInput, RoomFrame, StartFrameInput } from "../../protocol/voice/frames.ts";
import type { Transport } from "../transport/transport.ts";
import { FrameQueue } from "./frame-queue.ts";
import { messageId } from "./message-id.ts";
import { ownFailure } from "./own-failure.ts";
import { PlayerDriver } from "./player-driver.ts";
import { toldFrame } from "./told-frame.ts";
import { VoiceConnector, type VoicePlace } from "./voice-connector.ts";
import type {
  CallConfirmation,
  CallResults,
  FrameOptions,
  SpeakOptions,
  VoiceEvents,
  VoiceStart,
  VoiceState,
} from "./voice-options.ts";

const DEFAULT_INPUT_RATE = 16_000;
const DEFAULT_OUTPUT_RATE = 24_000;
/** Seconds of audio that may wait for the connection, or in a socket whose network is slow. */
const MAX_UNSENT_SECONDS = 1;
/** Bytes of audio in one frame, whole samples: the platform takes half a second at the highest rate. */
const MAX_PCM_BYTES = 48_000;
/** Milliseconds until a socket that had too much to send is asked again. */
const FULL_SOCKET_MS = 50;

type Listener<Value> = (value: Value) => void;
type Listeners = { [Name in keyof VoiceEvents]?: Set<Listener<VoiceEvents[Name]>> };

/** Made by {@link SessionHandle.speak} and {@link RoomHandle.speak}, when the connection is open. */
export class Voice {
  /** Resolves at the final end: with its reason, or with null when it was ended in order, by either side. Never rejects. */
  readonly closed: Promise<Error | null>;
  readonly #connector: VoiceConnector;
  readonly #inputRate: number;
  readonly #outputRate: number;
  readonly #turns: SpeakOptions["turns"];
  readonly #player: PlayerDriver | null;
  readonly #queue: FrameQueue;
  readonly #listeners: Listeners = {};
  #state: VoiceState = "connecting";
  #cursor: number | undefined;
  #started: VoiceStart | null = null;
  /** Null when the app can listen. */
  #held: (string | ArrayBuffer)[] | null = [];
  /** Milliseconds of audio that were appended. */
  #appendedMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    transport: Transport,
    place: VoicePlace,
    { input, output, turns, after, player, signal }: SpeakOptions,
  ) {
    this.#inputRate = input?.rate ?? DEFAULT_INPUT_RATE;
    this.#outputRate = output?.rate ?? DEFAULT_OUTPUT_RATE;
    this.#turns = turns;
    this.#cursor = after;
    this.#player = player ? new PlayerDriver(player, (item, ms) => this.played(item, ms)) : null;
    this.#queue = new FrameQueue(this.#maxUnsentBytes);
    const reader = {
      start: () => this.#start(),
      take: (frame: string | ArrayBuffer) => this.#hold(frame),
      show: (state: VoiceState) => this.#show(state),
    };
    this.#connector = new VoiceConnector(transport, place, reader, signal);
    this.closed = this.#connector.closed;
  }

  /** Resolves when the connection is open; rejects when it cannot be. */
  static async open(...connection: ConstructorParameters<typeof Voice>): Promise<Voice> {
    const voice = new Voice(...connection);
    await voice.#connector.ready;
    setTimeout(() => voice.#release());
    return voice;
  }

  get state(): VoiceState {
    return this.#state;
  }

  /** The seq of the last event, or where events began. */
  get cursor(): number {
    return this.#cursor ?? 0;
  }

  /** The platform's word on the newest connection: its formats and limits. Null before the first. */
  get started(): VoiceStart | null {
    return this.#started;
  }

  /** @returns ends the listening. */
  on<Name extends keyof VoiceEvents>(
    name: Name,
    listener: Listener<VoiceEvents[Name]>,
  ): () => void {
    const listeners: Set<Listener<VoiceEvents[Name]>> = (this.#listeners[name] ??= new Set<
      Listener<VoiceEvents[Name]>
    >() as never);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /**
   * The user's speech: samples of 16 bits, little-endian, one channel, some 20 to 100 milliseconds at a time. While the
   * connection is away the last second is kept.
   *
   * @throws {TypeError} when a sample is not whole.
   */
  append(pcm: ArrayBuffer | ArrayBufferView): void {
    const bytes = ArrayBuffer.isView(pcm)
      ? new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)
      : new Uint8Array(pcm);
    if (bytes.byteLength % 2 !== 0) throw new TypeError("a sample has two bytes");
    for (let at = 0; at < bytes.byteLength; at += MAX_PCM_BYTES) {
      const piece = bytes.subarray(at, at + MAX_PCM_BYTES);
      this.#send(encodeAudioFrame({ item: 0, ms: this.#appendedMs, pcm: piece }));
      this.#appendedMs += audioMs(piece.byteLength, this.#inputRate);
    }
  }

  /** The user's turn has ended. */
  commit(options?: FrameOptions): void {
    this.#send({ type: "commit", ...options });
  }

  /** Takes back what was said since the last turn. */
  clear(options?: FrameOptions): void {
    this.#send({ type: "clear", ...options });
  }

  /**
   * Says something in writing, which interrupts the agent. Sent when the connection is there again.
   *
   * @returns the id of the message.
   * @throws {Error} when the connection is closed, or away and too much waits for it: so do the three below.
   */
  text(text: string, { id = messageId() }: FrameOptions = {}): string {
    this.#keep({ type: "text", text, id });
    return id;
  }

  /** Shows a picture with the next turn. @param picture.data Base64. */
  image(
    picture: { readonly media_type: string; readonly data: string },
    options?: FrameOptions,
  ): void {
    this.#keep({ type: "image", ...picture, ...options });
  }

  /** Confirms or denies calls: `confirmEvent(replyId, [[call, { confirmed: true }]])`. */
  confirm(answer: CallConfirmation, options?: FrameOptions): void {
    const { reply_id, confirm_results, metadata } = answer;
    this.#keep({ type: "confirm", reply_id, confirm_results, metadata, ...options });
  }

  /** Results of external calls: `toolResultEvent(replyId, [[call, output]])`. */
  externalResult(answer: CallResults, options?: FrameOptions): void {
    const { reply_id, execution_results, metadata } = answer;
    this.#keep({ type: "external_result", reply_id, execution_results, metadata, ...options });
  }

  /** Ends what the agent says, and the reply. */
  interrupt({ replyId, ...options }: FrameOptions & { readonly replyId?: string } = {}): void {
    this.#send({ type: "interrupt", reply_id: replyId, ...options });
  }

  /** The heard part of an item: to be said at least every 250 ms, and after each `audio_clear`. A `player` does. */
  played(item: number, ms: number): void {
    this.#connector.socket?.send(JSON.stringify({ type: "played", item, ms: Math.round(ms) }));
  }

  /** Ends all that is said in a room, and everybody's connection to it. Needs the right to interrupt. */
  stop(options?: FrameOptions): void {
    this.#send({ type: "stop", ...options });
  }

  /** Ends the connection; a reply that runs goes on in writing. */
  close(): void {
    this.#connector.close();
  }

  get #maxUnsentBytes(): number {
    return this.#inputRate * 2 * MAX_UNSENT_SECONDS;
  }

  #start(): StartFrameInput {
    return {
      type: "start",
      after: this.#cursor,
      input: { rate: this.#inputRate },
      output: { rate: this.#outputRate },
      turns: this.#turns,
    };
  }

  /** Frames that come before the app can listen wait for it. */
  #hold(frame: string | ArrayBuffer): void {
    if (this.#held && this.#started) this.#held.push(frame);
    else this.#take(frame);
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    try {
      for (const frame of held) this.#take(frame);
    } catch (error) {
      this.#connector.socket?.close(String(error));
    }
  }

  #take(frame: string | ArrayBuffer): void {
    if (typeof frame !== "string") return this.#takeAudio(frame);
    // Frames that are newer than this SDK are none of these.
    const { type, ...told } = JSON.parse(frame) as RoomFrame;
    if (type === "started") this.#begin(told as VoiceStart);
    if (type === "event") this.#takeEvent((told as { event: LoggedEvent }).event);
    const shown = toldFrame(type);
    if (shown) this.#emit(shown, told as never);
    if (type !== "audio_clear") return;
    const cleared = told as VoiceEvents["audio_clear"];
    ownFailure(() => this.#player?.clear(cleared.item));
    this.#emit(type, cleared);
  }

  #begin(started: VoiceStart): void {
    this.#started = started;
    this.#cursor ??= started.cursor;
    // Here and not at the loss: nothing that the platform no longer knows may sound, nor be told of.
    ownFailure(() => this.#player?.restart());
  }

  #takeAudio(bytes: ArrayBuffer): void {
    const audio = decodeAudioFrame(new Uint8Array(bytes));
    // A frame that is newer than this SDK.
    if (typeof audio === "string") return;
    ownFailure(() => this.#player?.play(audio, this.#outputRate));
    this.#emit("audio", audio);
  }

  #takeEvent(event: LoggedEvent): void {
    if (event.seq <= this.cursor) return;
    this.#cursor = event.seq;
    this.#emit("event", event);
  }

  #show(state: VoiceState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === "open") this.#flush();
    if (state === "closed") {
      clearTimeout(this.#timer);
      ownFailure(() => this.#player?.restart());
    }
    this.#emit("state", state);
  }

  #emit<Name extends keyof VoiceEvents>(name: Name, value: VoiceEvents[Name]): void {
    for (const listener of (this.#listeners[name] ?? []) as Iterable<Listener<VoiceEvents[Name]>>) {
      ownFailure(() => listener(value));
    }
  }

  /** Sent whenever it can be. */
  #keep(frame: ClientFrameInput): void {
    if (this.#state === "closed") throw new Error("the voice connection is closed");
    if (!this.#queue.add(JSON.stringify(frame), true, Date.now())) {
      throw new Error("too many frames wait for the connection");
    }
    this.#flush();
  }

  /** Sent now or within a moment. */
  #send(frame: ClientFrameInput | { readonly type: "stop" } | Uint8Array<ArrayBuffer>): void {
    if (this.#state === "closed") return;
    const data = frame instanceof Uint8Array ? frame : JSON.stringify(frame);
    this.#queue.add(data, false, Date.now());
    this.#flush();
  }

  #flush(): void {
    const { socket } = this.#connector;
    clearTimeout(this.#timer);
    while (socket && !this.#queue.isEmpty) {
      if (socket.bufferedBytes > this.#maxUnsentBytes) {
        this.#timer = setTimeout(() => this.#flush(), FULL_SOCKET_MS);
        return;
      }
      const data = this.#queue.take(Date.now());
      if (data !== undefined) socket.send(data);
    }
  }
}
