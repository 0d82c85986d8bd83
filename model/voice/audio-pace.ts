import type { StopSignal } from "../../agent/ports.ts";
import { pause } from "../../runtime/pause.ts";
import { SPEECH_BURST_MS, SPEECH_PACE, SPEECH_STALL_MS } from "./limits.ts";

interface PaceSettings {
  readonly burstMs: number;
  /** Milliseconds of audio for each that passes. */
  readonly pace: number;
}

/**
 * The pace at which audio is read from an endpoint, or made, over all answers of a connection: each second of it is given
 * another rate and sent on, which other sessions wait for.
 */
export class AudioPace {
  readonly #settings: PaceSettings;
  #creditMs: number;
  #atMs = 0;

  constructor(settings: PaceSettings = { burstMs: SPEECH_BURST_MS, pace: SPEECH_PACE }) {
    this.#settings = settings;
    this.#creditMs = settings.burstMs;
  }

  /** Counts audio that was read. @returns Milliseconds until more may be. */
  spend(audioMs: number, nowMs: number): number {
    const { burstMs, pace } = this.#settings;
    // Not less when the clock was set back.
    const anewMs = Math.max(0, nowMs - this.#atMs) * pace;
    this.#atMs = nowMs;
    this.#creditMs = Math.min(burstMs, this.#creditMs + anewMs) - audioMs;
    return Math.max(0, -this.#creditMs / pace);
  }

  /** Resolves when more may be read. @param waits Called before the endpoint would be taken for silent. */
  async keep(audioMs: number, stop: StopSignal, waits: () => void): Promise<void> {
    let waitMs = this.spend(audioMs, Date.now());
    for (; waitMs > 0 && !stop.aborted; waitMs -= SPEECH_STALL_MS / 2) {
      await pause(Math.min(waitMs, SPEECH_STALL_MS / 2), stop);
      waits();
    }
  }
}
