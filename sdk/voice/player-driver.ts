// Plays the agent's audio by the app's loudspeaker, and tells what was heard of it.
import { audioMs, type AudioFrame } from "../../protocol/voice/audio-frame.ts";
import { PLAYED_EVERY_MS } from "../../protocol/voice/limits.ts";
import { PlaybackClock } from "./playback-clock.ts";
import type { VoicePlayer } from "./voice-options.ts";

export class PlayerDriver {
  readonly #player: VoicePlayer;
  readonly #tell: (item: number, ms: number) => void;
  #clock = new PlaybackClock();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(player: VoicePlayer, tell: (item: number, ms: number) => void) {
    this.#player = player;
    this.#tell = tell;
  }

  play({ item, ms, pcm }: AudioFrame, rate: number): void {
    const durationMs = audioMs(pcm.byteLength, rate);
    const startsAtMs = this.#clock.take({ item, ms, durationMs }, this.#player.nowMs());
    if (startsAtMs === null) return;
    this.#player.play(pcm, startsAtMs, item);
    // Twice as often as has to be: timers of a page in the background are late.
    this.#timer ??= setInterval(() => this.#tick(), PLAYED_EVERY_MS / 2);
  }

  clear(item: number): void {
    const played = this.#clock.clear(item, this.#player.nowMs());
    this.#player.stop(item);
    this.#tell(played.item, played.ms);
  }

  /** Silence, and a new clock: items of another connection have numbers of their own. */
  restart(): void {
    const { items } = this.#clock;
    this.#clock = new PlaybackClock();
    this.#rest();
    for (const item of items) this.#player.stop(item);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const { item, ms } of this.#clock.due(this.#player.nowMs())) this.#tell(item, ms);
    if (!this.#clock.isPlaying) this.#rest();
  }
}
