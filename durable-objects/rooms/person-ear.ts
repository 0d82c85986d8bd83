// Hears one person: finds the turns in the audio, and hands each one on as it ends.
import { HeardTurns, type HeardAudio } from "../../model/voice/heard-turns.ts";
import type { VoiceModelEvent } from "../../agent/voice/voice-model.ts";
import { SPEECH_GRACE_MS } from "../../agent/voice/limits.ts";
import type { TurnSettings } from "../../protocol/voice/contract.ts";
import { MAX_TURN_AUDIO_MS } from "../../protocol/voice/limits.ts";
import { MUTE_MS } from "./limits.ts";

interface EarOptions {
  /** Null: turns end by {@link PersonEar.commit} alone. */
  readonly turns: TurnSettings | null;
  readonly rate: number;
  /** Speech has begun. */
  readonly began: () => void;
  /** Speech has ended. @param audio Null for what was taken back. */
  readonly ended: (audio: HeardAudio | null) => void;
}

export class PersonEar {
  readonly #options: EarOptions;
  readonly #turns: HeardTurns;
  #isSpeaking = false;
  #mute: ReturnType<typeof setTimeout> | undefined;
  /** The end of a turn by the clock: its audio may come so slowly that it is never long. */
  #longest: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EarOptions) {
    const { turns, rate } = options;
    this.#options = options;
    this.#turns = new HeardTurns({
      turns,
      rate,
      tell: (event) => this.#note(event),
      hear: (audio) => this.#end(audio),
    });
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  hear(pcm: Uint8Array): void {
    if (!this.#options.turns) this.#begin();
    this.#turns.append(pcm);
    clearTimeout(this.#mute);
    if (this.#isSpeaking) this.#mute = setTimeout(() => this.commit(), MUTE_MS);
  }

  /** @returns False when there is no speech that could be a turn. */
  commit(): boolean {
    if (!this.#isSpeaking) return false;
    this.#turns.commit();
    return true;
  }

  clear(): void {
    this.#turns.clear();
    if (this.#isSpeaking) this.#end(null);
  }

  stop(): void {
    this.#endTimers();
    this.#isSpeaking = false;
  }

  #note({ type }: VoiceModelEvent): void {
    if (type === "input_started") this.#begin();
  }

  #begin(): void {
    if (this.#isSpeaking) return;
    this.#isSpeaking = true;
    this.#longest = setTimeout(() => this.commit(), MAX_TURN_AUDIO_MS + SPEECH_GRACE_MS);
    this.#options.began();
  }

  #end(audio: HeardAudio | null): void {
    this.#endTimers();
    this.#isSpeaking = false;
    this.#options.ended(audio);
  }

  #endTimers(): void {
    clearTimeout(this.#mute);
    clearTimeout(this.#longest);
  }
}
