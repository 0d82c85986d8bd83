// Audio and frames that a person may send within a time, as a session's client may.
import { AUDIO_PACE, FRAME_WINDOW_MS, LEAST_FRAME_MS } from "../../agent/voice/limits.ts";
import { MAX_AUDIO_AHEAD_MS, MAX_FRAMES_PER_WINDOW } from "../../protocol/voice/limits.ts";
import { MAX_PERSON_ACTS } from "./limits.ts";

export class PersonCredit {
  #audioMs = MAX_AUDIO_AHEAD_MS;
  #frames = MAX_FRAMES_PER_WINDOW;
  #atMs = 0;
  #acts = 0;

  /** @returns False when it is too much; so does the other. */
  spendAudio(ms: number, nowMs: number): boolean {
    this.#refill(nowMs);
    this.#audioMs -= Math.max(ms, LEAST_FRAME_MS);
    return this.#audioMs >= 0;
  }

  spendFrame(nowMs: number): boolean {
    this.#refill(nowMs);
    this.#frames -= 1;
    return this.#frames >= 0;
  }

  /** @returns False when too many are under way; else {@link endAct} is called behind it. */
  beginAct(): boolean {
    if (this.#acts >= MAX_PERSON_ACTS) return false;
    this.#acts += 1;
    return true;
  }

  endAct(): void {
    this.#acts -= 1;
  }

  #refill(nowMs: number): void {
    // Not less when the clock was set back.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const frames = (passedMs / FRAME_WINDOW_MS) * MAX_FRAMES_PER_WINDOW;
    this.#audioMs = Math.min(MAX_AUDIO_AHEAD_MS, this.#audioMs + passedMs * AUDIO_PACE);
    this.#frames = Math.min(MAX_FRAMES_PER_WINDOW, this.#frames + frames);
  }
}
