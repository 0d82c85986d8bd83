/** Levels of the display: a change below one is not told. */
const LEVELS = 20;
/** Speech has a tenth to a third of full scale. */
const GAIN = 3;

/** Loudness of the microphone as a display shows it, from 0 to 1. */
export class Loudness {
  #shown = 0;
  readonly #listeners = new Set<() => void>();

  readonly get = (): number => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(loudness: number): void {
    const shown = Math.round(Math.min(1, loudness * GAIN) * LEVELS) / LEVELS;
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}
