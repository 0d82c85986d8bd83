// Turns of a person in a stream of audio, by its loudness: speech begins when it has been loud for a while, and ends when it
// has been quiet for longer. Pure in what it was given; the length of its pieces changes nothing.
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { TurnSettings } from "../../protocol/voice/contract.ts";
import {
  HYSTERESIS_DB,
  LOUDNESS_FRAME_MS,
  MIN_SPEECH_MS,
  THRESHOLD_FLOOR_DB,
  THRESHOLD_RANGE_DB,
  TRAILING_MS,
} from "./limits.ts";
import { SampleReader } from "./sample-reader.ts";

/** Places are milliseconds of the audio since its beginning, multiples of the frames in which loudness is measured. */
export type DetectedTurn =
  /** The turn's audio begins at `start_ms`, with its padding: before now. */
  | { readonly type: "started"; readonly start_ms: number }
  /** The turn ends at `end_ms`: before now. */
  | { readonly type: "done"; readonly end_ms: number };

export class TurnDetector {
  readonly #reader = new SampleReader();
  readonly #settings: TurnSettings;
  readonly #frameSamples: number;
  /** Sums of squares from which on a frame is loud, and from which on speech goes on. */
  readonly #loud: number;
  readonly #audible: number;
  #squares = 0;
  #count = 0;
  /** The place at which the current frame begins. */
  #nowMs = 0;
  /** Audio before this belongs to an earlier turn. */
  #freeMs = 0;
  /** While nobody speaks: loud frames less quiet ones, in milliseconds, and where they began. */
  #loudMs = 0;
  #loudFromMs = 0;
  /** While somebody speaks: where the last sound ended. */
  #soundMs: number | null = null;

  constructor(settings: TurnSettings, rate: number) {
    this.#settings = settings;
    this.#frameSamples = (rate * LOUDNESS_FRAME_MS) / 1_000;
    const decibels = THRESHOLD_FLOOR_DB + THRESHOLD_RANGE_DB * settings.threshold;
    this.#loud = squaresOf(decibels, this.#frameSamples);
    this.#audible = squaresOf(decibels - HYSTERESIS_DB, this.#frameSamples);
  }

  get isSpeaking(): boolean {
    return this.#soundMs !== null;
  }

  /** Turns that have begun or ended with this audio. */
  push(pcm: Uint8Array): readonly DetectedTurn[] {
    const turns: DetectedTurn[] = [];
    for (const sample of this.#reader.read(pcm)) {
      this.#squares += sample * sample;
      this.#count += 1;
      if (this.#count < this.#frameSamples) continue;
      const turn = this.#takeFrame(this.#squares);
      if (turn) turns.push(turn);
      this.#squares = 0;
      this.#count = 0;
    }
    return turns;
  }

  /** Speech so far is over: by a commit, or taken back. If it goes on, it begins anew. */
  reset(): void {
    this.#soundMs = null;
    this.#loudMs = 0;
    this.#freeMs = this.#nowMs;
  }

  #takeFrame(squares: number): DetectedTurn | null {
    const fromMs = this.#nowMs;
    this.#nowMs += LOUDNESS_FRAME_MS;
    return this.#soundMs === null
      ? this.#listen(squares >= this.#loud, fromMs)
      : this.#follow(squares >= this.#audible, this.#soundMs);
  }

  #listen(isLoud: boolean, fromMs: number): DetectedTurn | null {
    if (!isLoud) {
      this.#loudMs = Math.max(0, this.#loudMs - LOUDNESS_FRAME_MS);
      return null;
    }
    if (this.#loudMs === 0) this.#loudFromMs = fromMs;
    this.#loudMs += LOUDNESS_FRAME_MS;
    if (this.#loudMs < MIN_SPEECH_MS) return null;
    this.#loudMs = 0;
    this.#soundMs = this.#nowMs;
    const paddedMs = this.#loudFromMs - this.#settings.prefix_padding_ms;
    return { type: "started", start_ms: Math.max(this.#freeMs, paddedMs) };
  }

  #follow(isAudible: boolean, soundMs: number): DetectedTurn | null {
    if (isAudible) {
      this.#soundMs = this.#nowMs;
      return null;
    }
    if (this.#nowMs - soundMs < this.#settings.silence_duration_ms) return null;
    const end_ms = Math.min(this.#nowMs, soundMs + TRAILING_MS);
    this.#soundMs = null;
    this.#freeMs = end_ms;
    return { type: "done", end_ms };
  }
}

/** The sum of squares of so many samples whose mean is so many decibels below full scale. */
function squaresOf(decibels: number, samples: number): number {
  return samples * (2 ** (8 * SAMPLE_BYTES - 1) * 10 ** (decibels / 20)) ** 2;
}
