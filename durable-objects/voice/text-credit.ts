// Text that a client may send within a time: each frame is parsed in the object, which others wait for meanwhile.
import { FRAME_WINDOW_MS } from "../../agent/voice/limits.ts";
import { MAX_VOICE_TEXT_BYTES_PER_WINDOW } from "../../protocol/voice/limits.ts";

export class TextCredit {
  #credit = MAX_VOICE_TEXT_BYTES_PER_WINDOW;
  #atMs = 0;

  /** @returns False when it is too much. */
  spend(characters: number, nowMs: number): boolean {
    // Not less when the clock was set back.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const anew = (passedMs / FRAME_WINDOW_MS) * MAX_VOICE_TEXT_BYTES_PER_WINDOW;
    this.#credit = Math.min(MAX_VOICE_TEXT_BYTES_PER_WINDOW, this.#credit + anew) - characters;
    return this.#credit >= 0;
  }
}
