// The user's speech on one connection: audio on its way to the server, and what the server has found in it. The server hears
// the end of a turn in audio alone, and closes a connection without audio, so that silence is sent where there is none.
import type { VoiceModelEvent, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { encodeBase64 } from "../../../protocol/base64.ts";
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import type { WireIds } from "../realtime/wire-ids.ts";
import type { InputFrame } from "./dashscope-frames.ts";
import {
  EXTRA_SILENCE_MS,
  KEEP_ALIVE_SILENCE_MS,
  MAX_HEARD_ITEMS,
  PICTURE_EVERY_MS,
  type DashScopeWaits,
} from "./limits.ts";

interface HeardSpeechOptions {
  readonly turns: VoiceSetup["turns"];
  /** Hertz of the audio. */
  readonly rate: number;
  readonly ids: WireIds;
  readonly waits: DashScopeWaits;
  readonly send: (frame: object) => void;
  readonly tell: (event: VoiceModelEvent) => void;
  readonly began: () => void;
  readonly ended: () => void;
}

/** The code that the engine knows: there is nothing that could be a turn. */
const NOTHING_TO_COMMIT = "input_audio_buffer_commit_empty";

interface HeardItem {
  isOver: boolean;
  isWritten: boolean;
}

export class HeardSpeech {
  readonly #options: HeardSpeechOptions;
  readonly #bytesPerMs: number;
  readonly #items = new Map<string, HeardItem>();
  /** Milliseconds of the user's audio so far, and at commits that have made no turn yet. */
  #givenMs = 0;
  #commits: number[] = [];
  /** Silence of ours: its place in the server's audio, and its length. */
  #silences: { readonly atMs: number; readonly ms: number }[] = [];
  #silentMs = 0;
  /** The item of the turn that goes on, for a server that finds turns. */
  #open: string | null = null;
  #sentAtMs = Date.now();
  #shownAtMs = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HeardSpeechOptions) {
    this.#options = options;
    this.#bytesPerMs = (options.rate * SAMPLE_BYTES) / 1_000;
    this.#watch();
  }

  append(pcm: Uint8Array): void {
    if (pcm.byteLength === 0) return;
    this.#givenMs += pcm.byteLength / this.#bytesPerMs;
    this.#send(pcm);
  }

  /** A picture goes with the audio that follows it. @returns False for one that the server would not take now. */
  show(image: string): boolean {
    const now = Date.now();
    if (this.#givenMs === 0 || now < this.#shownAtMs + PICTURE_EVERY_MS) return false;
    this.#shownAtMs = now;
    this.#options.send({ type: "input_image_buffer.append", image });
    return true;
  }

  commit(): void {
    const { turns, send } = this.#options;
    if (!turns) {
      this.#commits.push(this.#givenMs);
      if (this.#commits.length > MAX_HEARD_ITEMS) this.#commits.shift();
      send({ type: "input_audio_buffer.commit" });
    } else if (this.#open !== null) this.#sendSilence(turns.silence_duration_ms + EXTRA_SILENCE_MS);
    else this.#refuseCommit();
  }

  clear(): void {
    this.#open = null;
    this.#options.send({ type: "input_audio_buffer.clear" });
  }

  /** The server has refused something. @returns Whether it was a commit. */
  refuse(message: string): boolean {
    if (this.#commits.length === 0 || !/commit|buffer|audio/i.test(message)) return false;
    this.#commits.shift();
    this.#refuseCommit();
    return true;
  }

  take(frame: InputFrame): void {
    switch (frame.type) {
      case "speech_started":
        return this.#begin(frame.item, frame.ms);
      case "speech_stopped":
        return this.#end(frame.item, this.#placeOf(frame.ms));
      case "committed":
        return this.#takeCommit(frame.item);
      default:
        return this.#write(frame);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(wireId: string, ms: number): void {
    if (wireId === "" || this.#items.has(wireId) || !this.#options.turns) return;
    this.#add(wireId);
    this.#open = wireId;
    this.#watch();
    const item_id = this.#options.ids.own(wireId);
    this.#options.tell({ type: "input_started", item_id, audio_start_ms: this.#placeOf(ms) });
    this.#options.began();
  }

  #end(wireId: string, endMs: number): void {
    const item = this.#items.get(wireId);
    if (!item || item.isOver) return;
    item.isOver = true;
    if (this.#open === wireId) this.#open = null;
    const item_id = this.#options.ids.own(wireId);
    this.#options.tell({ type: "input_done", item_id, audio_end_ms: endMs });
    this.#options.ended();
  }

  /** A server that finds turns commits them, too, behind their ends. */
  #takeCommit(wireId: string): void {
    const { turns } = this.#options;
    if (turns) return this.#end(wireId, this.#givenMs);
    const endMs = this.#commits.shift();
    if (endMs === undefined || wireId === "" || this.#items.has(wireId)) return;
    this.#add(wireId);
    this.#end(wireId, endMs);
  }

  #write(
    frame: Extract<InputFrame, { type: "transcript" | "transcript_delta" | "transcript_failed" }>,
  ): void {
    const item = this.#items.get(frame.item);
    if (!item || item.isWritten) return;
    const item_id = this.#options.ids.own(frame.item);
    const { tell } = this.#options;
    if (frame.type === "transcript_delta") {
      tell({ type: "input_transcription_delta", item_id, delta: frame.text });
      return;
    }
    item.isWritten = true;
    if (frame.type === "transcript_failed") tell({ type: "error", item_id, ...frame.words });
    else {
      const { text: transcript } = frame;
      tell({ type: "input_transcription_done", item_id, transcript, usage: null });
    }
  }

  #add(wireId: string): void {
    this.#items.set(wireId, { isOver: false, isWritten: false });
    const [oldest] = this.#items.keys();
    if (this.#items.size > MAX_HEARD_ITEMS && oldest !== undefined) this.#items.delete(oldest);
  }

  #refuseCommit(): void {
    const message = "There is no speech since the last turn.";
    this.#options.tell({ type: "error", code: NOTHING_TO_COMMIT, message });
  }

  #sendSilence(ms: number): void {
    this.#silences.push({ atMs: this.#givenMs + this.#silentMs, ms });
    if (this.#silences.length > MAX_HEARD_ITEMS) this.#silences.shift();
    this.#silentMs += ms;
    this.#send(new Uint8Array(ms * this.#bytesPerMs));
  }

  #send(pcm: Uint8Array): void {
    this.#sentAtMs = Date.now();
    this.#options.send({ type: "input_audio_buffer.append", audio: encodeBase64(pcm) });
  }

  /** The place in the user's audio of one in the server's, which has our silence, too. */
  #placeOf(serverMs: number): number {
    const recent = this.#silences.reduce((sum, { ms }) => sum + ms, 0);
    let before = this.#silentMs - recent;
    for (const { atMs, ms } of this.#silences) {
      before += Math.min(ms, Math.max(0, serverMs - atMs));
    }
    return serverMs - before;
  }

  /** One timer, set anew for what is left of the time, instead of one for each piece of audio. */
  #watch(): void {
    clearTimeout(this.#timer);
    const { stalledTurnMs, keepAliveMs } = this.#options.waits;
    const waitMs = this.#open === null ? keepAliveMs : stalledTurnMs;
    const leftMs = this.#sentAtMs + waitMs - Date.now();
    this.#timer = setTimeout(() => this.#check(), Math.max(0, leftMs));
  }

  #check(): void {
    const { turns, waits } = this.#options;
    const silentMs = Date.now() - this.#sentAtMs;
    if (this.#open !== null && turns && silentMs >= waits.stalledTurnMs) {
      this.#sendSilence(turns.silence_duration_ms + EXTRA_SILENCE_MS);
    } else if (silentMs >= waits.keepAliveMs) this.#sendSilence(KEEP_ALIVE_SILENCE_MS);
    this.#watch();
  }
}
