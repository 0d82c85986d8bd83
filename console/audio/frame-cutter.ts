/** Frames of equal length out of pieces of any length. */
export class FrameCutter {
  readonly #frame: Float32Array;
  #filled = 0;

  constructor(frameSamples: number) {
    this.#frame = new Float32Array(frameSamples);
  }

  /** @returns the frames that these samples complete, each of its own memory. */
  push(samples: Float32Array): readonly Float32Array[] {
    const frames: Float32Array[] = [];
    let rest = samples;
    while (rest.length > 0) {
      const taken = rest.subarray(0, this.#frame.length - this.#filled);
      this.#frame.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled < this.#frame.length) continue;
      frames.push(this.#frame.slice());
      this.#filled = 0;
    }
    return frames;
  }
}
