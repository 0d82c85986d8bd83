// Sound of one rate in another, piece by piece: a microphone has the rate of its device.

/** Samples of the slower rate on each side of a tap: more is a sharper cut, and more work. */
const HALF_WIDTH = 8;

/** A low-pass filter of a windowed sinc, moved over the input. Its output comes {@link HALF_WIDTH} samples late. */
export class Resampler {
  /** Input samples for each output sample. */
  readonly #step: number;
  /** Of the input's Nyquist frequency; below 1 where the output has less room than the input. */
  readonly #cutoff: number;
  readonly #halfTaps: number;
  #kept: Float32Array;
  /** Place of the next output sample among the kept ones. */
  #place: number;

  /** Both in Hz. */
  constructor(from: number, to: number) {
    this.#step = from / to;
    this.#cutoff = Math.min(1, to / from);
    this.#halfTaps = Math.ceil(HALF_WIDTH / this.#cutoff);
    // As if silence had come before.
    this.#kept = new Float32Array(this.#halfTaps);
    this.#place = this.#halfTaps;
  }

  push(samples: Float32Array): Float32Array {
    if (this.#step === 1) return samples;
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const ready = Math.max(0, Math.ceil((all.length - this.#halfTaps - this.#place) / this.#step));
    const made = new Float32Array(ready);
    for (let index = 0; index < ready; index += 1) {
      made[index] = this.#sampleAt(all, this.#place);
      this.#place += this.#step;
    }
    const start = Math.max(0, Math.floor(this.#place) - this.#halfTaps);
    this.#kept = all.slice(start);
    this.#place -= start;
    return made;
  }

  #sampleAt(samples: Float32Array, place: number): number {
    const middle = Math.floor(place);
    let sum = 0;
    for (let at = middle - this.#halfTaps + 1; at <= middle + this.#halfTaps; at += 1) {
      sum += (samples[at] ?? 0) * this.#weight(at - place);
    }
    return sum;
  }

  #weight(distance: number): number {
    const inWindow = distance / this.#halfTaps;
    if (Math.abs(inWindow) >= 1) return 0;
    const hann = 0.5 + 0.5 * Math.cos(Math.PI * inWindow);
    const angle = Math.PI * distance * this.#cutoff;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    return hann * sinc * this.#cutoff;
  }
}
