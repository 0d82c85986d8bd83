// The user's turns in the audio of a connection, for models that do not find them themselves: when each began and ended, and
// its audio. What is not of a turn is kept as long as one may begin in it.
import type { VoiceModelEvent } from "../../agent/voice/voice-model.ts";
import { type DetectedTurn, TurnDetector } from "../../agent/voice/detect-turns.ts";
import { generateId } from "../../protocol/messages/defaults.ts";
import type { TurnSettings } from "../../protocol/voice/contract.ts";
import { MAX_TURN_AUDIO_MS, SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import { joinBytes } from "./join-bytes.ts";
import { BEGINNING_MS } from "./limits.ts";

export interface HeardAudio {
  readonly item_id: string;
  readonly pcm: Uint8Array;
  readonly ms: number;
}

export interface HeardTurnsSettings {
  /** Null: turns end by {@link HeardTurns.commit} alone. */
  readonly turns: TurnSettings | null;
  readonly rate: number;
  readonly tell: (event: VoiceModelEvent) => void;
  /** A turn has ended, and was told of. */
  readonly hear: (audio: HeardAudio) => void;
  /** Audio of the turn that goes on, as it comes, from the turn's beginning; silence behind its end may be in it. */
  readonly listen?: (pcm: Uint8Array) => void;
}

export class HeardTurns {
  readonly #settings: HeardTurnsSettings;
  readonly #detector: TurnDetector | null;
  readonly #bytesPerMs: number;
  #pieces: Uint8Array[] = [];
  /** Places in bytes of the connection's audio: of the first that is kept, and behind the last. */
  #from = 0;
  #to = 0;
  /** The place up to which the turn that goes on was listened to. */
  #listened = 0;
  #open: { readonly item_id: string; readonly startMs: number } | null = null;

  constructor(settings: HeardTurnsSettings) {
    this.#settings = settings;
    this.#bytesPerMs = (settings.rate * SAMPLE_BYTES) / 1_000;
    this.#detector = settings.turns && new TurnDetector(settings.turns, settings.rate);
  }

  append(pcm: Uint8Array): void {
    if (pcm.byteLength === 0) return;
    // The caller may use its buffer again.
    this.#pieces.push(pcm.slice());
    this.#to += pcm.byteLength;
    if (this.#detector) for (const turn of this.#detector.push(pcm)) this.#note(turn);
    else this.#open ??= this.#begin(this.#from / this.#bytesPerMs);
    if (this.#open) this.#listen(this.#to, pcm);
    if (this.#open && this.#nowMs - this.#open.startMs >= MAX_TURN_AUDIO_MS) this.commit();
    if (!this.#open) this.#forget(this.#nowMs - BEGINNING_MS - this.#paddingMs);
  }

  commit(): void {
    this.#detector?.reset();
    if (this.#open) this.#end(this.#nowMs);
    else {
      this.#settings.tell({
        type: "error",
        code: "input_audio_buffer_commit_empty",
        message: "There is no speech since the last turn.",
      });
    }
    this.#forgetAll();
  }

  clear(): void {
    this.#detector?.reset();
    this.#open = null;
    this.#forgetAll();
  }

  get #nowMs(): number {
    return Math.floor(this.#to / this.#bytesPerMs);
  }

  get #paddingMs(): number {
    return this.#settings.turns?.prefix_padding_ms ?? 0;
  }

  #note(turn: DetectedTurn): void {
    if (turn.type === "done") this.#end(turn.end_ms);
    else this.#open = this.#begin(turn.start_ms);
  }

  #begin(startMs: number) {
    const item_id = `item_${generateId()}`;
    const open = { item_id, startMs: Math.floor(startMs) };
    this.#listened = this.#from + this.#placeOf(open.startMs);
    // Without detection nobody knows of speech before its end.
    if (this.#detector) this.#tellStart(open);
    return open;
  }

  #tellStart({ item_id, startMs }: { readonly item_id: string; readonly startMs: number }): void {
    this.#settings.tell({ type: "input_started", item_id, audio_start_ms: startMs });
  }

  #end(endMs: number): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    if (!this.#detector) this.#tellStart(open);
    this.#listen(this.#from + this.#placeOf(endMs));
    const { item_id, startMs } = open;
    this.#settings.tell({ type: "input_done", item_id, audio_end_ms: endMs });
    const audio = joinBytes(this.#pieces);
    const pcm = audio.slice(this.#placeOf(startMs), this.#placeOf(endMs));
    this.#settings.hear({ item_id, pcm, ms: endMs - startMs });
    this.#forget(endMs);
  }

  /** @param newest The last piece; most often it is all that is new. */
  #listen(until: number, newest?: Uint8Array): void {
    const { listen } = this.#settings;
    const bytes = until - this.#listened;
    if (!listen || bytes <= 0) return;
    const isAll = newest?.byteLength === bytes;
    const from = this.#listened - this.#from;
    this.#listened = until;
    listen(isAll ? newest : joinBytes(this.#pieces).slice(from, from + bytes));
  }

  /** In what is kept. */
  #placeOf(ms: number): number {
    const place = Math.round(ms * this.#bytesPerMs);
    return Math.max(0, place - (place % SAMPLE_BYTES) - this.#from);
  }

  #forgetAll(): void {
    this.#pieces = [];
    this.#from = this.#to;
  }

  #forget(untilMs: number): void {
    const until = untilMs * this.#bytesPerMs;
    let count = 0;
    for (const { byteLength } of this.#pieces) {
      if (this.#from + byteLength > until) break;
      this.#from += byteLength;
      count += 1;
    }
    // At once: a turn may be of many thousand pieces.
    if (count > 0) this.#pieces.splice(0, count);
  }
}
