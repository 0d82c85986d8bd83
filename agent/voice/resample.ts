// Resampling of PCM16LE audio of one channel, piece by piece.
import { FILTER_CROSSINGS } from "./limits.ts";
import { SampleReader } from "./sample-reader.ts";
import { WholeSamples } from "./whole-samples.ts";

/** Of the lower of the two rates' bands, the part that passes: the rest is for the filter's slope. */
const PASS_BAND = 0.9;
/** Shape of the Kaiser window: some 80 dB of stop band. */
const WINDOW_SHAPE = 8;
const MAX_SAMPLE = 32_767;
const MIN_SAMPLE = -32_768;

/** The weights of the input samples around an output sample whose place between them is always the same. */
interface Phase {
  /** The first of them, counted from the sample at or before the place. */
  readonly first: number;
  readonly weights: Float64Array;
}

/**
 * A stream of audio at another rate. However the input is cut into pieces, the output's bytes are the same, and its first
 * sample is at the time of the input's first.
 */
export class Resampler {
  readonly #reader = new SampleReader();
  /** For audio that has the rate already. */
  readonly #whole = new WholeSamples();
  /** Input samples make `#up` places each, of which the output has each `#down`th. */
  readonly #up: number;
  readonly #down: number;
  readonly #phases: readonly Phase[];
  /** Input samples that are still needed, and the number of the first of them. */
  #samples = new Float64Array(0);
  #first = 0;
  /** Samples that came, and that went. */
  #taken = 0;
  #given = 0;

  constructor(fromRate: number, toRate: number) {
    const shared = greatestDivisor(fromRate, toRate);
    this.#up = toRate / shared;
    this.#down = fromRate / shared;
    this.#phases = this.#up === this.#down ? [] : makePhases(this.#up, this.#down);
  }

  /** The output as far as the input allows. Half a sample at the end waits for its other half. */
  push(pcm: Uint8Array): Uint8Array {
    if (this.#phases.length === 0) return this.#whole.push(pcm);
    const taken = this.#reader.read(pcm);
    this.#taken += taken.length;
    this.#samples = joined(this.#samples, taken);
    return this.#give(this.#taken);
  }

  /** The rest: as if silence followed. Half a sample is lost. */
  end(): Uint8Array {
    if (this.#phases.length === 0) return new Uint8Array(0);
    const silence = Math.max(...this.#phases.map((phase) => phase.first + phase.weights.length));
    this.#samples = joined(this.#samples, new Float64Array(silence));
    const places = Math.ceil((this.#taken * this.#up) / this.#down);
    return this.#give(this.#taken + silence, places);
  }

  #give(known: number, until = Number.POSITIVE_INFINITY): Uint8Array {
    const output = new Int16Array(this.#mostGiven(known, until));
    let count = 0;
    while (count < output.length) {
      const place = this.#given * this.#down;
      const phase = this.#phases[place % this.#up];
      const from = Math.floor(place / this.#up) + (phase?.first ?? 0);
      if (!phase || from + phase.weights.length > known) break;
      output[count] = clamped(this.#weigh(from, phase.weights));
      count += 1;
      this.#given += 1;
    }
    this.#forget();
    return toPcm(output.subarray(0, count));
  }

  /** Places up to the last known sample, which are some more than can be weighed. */
  #mostGiven(known: number, until: number): number {
    const places = Math.ceil((known * this.#up) / this.#down);
    return Math.max(0, Math.min(places, until) - this.#given);
  }

  #weigh(from: number, weights: Float64Array): number {
    const samples = this.#samples;
    const start = from - this.#first;
    const { length } = weights;
    let sum = 0;
    // Before the first sample there is silence.
    for (let index = Math.max(0, -start); index < length; index += 1) {
      // Both are there: the caller weighs what is known.
      sum += (weights[index] as number) * (samples[start + index] as number);
    }
    return sum;
  }

  #forget(): void {
    const next = Math.floor((this.#given * this.#down) / this.#up);
    const needed = next + Math.min(...this.#phases.map(({ first }) => first));
    const spent = Math.min(needed - this.#first, this.#samples.length);
    if (spent <= 0) return;
    this.#samples = this.#samples.slice(spent);
    this.#first += spent;
  }
}

function makePhases(up: number, down: number): readonly Phase[] {
  const wide = Math.max(up, down);
  const half = FILTER_CROSSINGS * wide;
  return Array.from({ length: up }, (_, phase) => {
    const first = Math.ceil((phase - half) / up);
    const last = Math.floor((phase + half) / up);
    const weights = Float64Array.from({ length: last - first + 1 }, (__, index) =>
      weightAt((phase - (first + index) * up) / wide),
    );
    // Each phase lets a constant pass as it is: else there would be a tone in silence that is not at zero.
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

/** The windowed sinc at a distance in samples of the lower rate. */
function weightAt(distance: number): number {
  const angle = Math.PI * PASS_BAND * distance;
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
  const place = distance / FILTER_CROSSINGS;
  return sinc * bessel(WINDOW_SHAPE * Math.sqrt(Math.max(0, 1 - place * place)));
}

/** The modified Bessel function of the first kind and order 0. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let index = 1; term > sum * Number.EPSILON; index += 1) {
    term *= (x / (2 * index)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function joined(before: Float64Array, more: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const all = new Float64Array(before.length + more.length);
  all.set(before);
  all.set(more, before.length);
  return all;
}

function clamped(value: number): number {
  return Math.min(MAX_SAMPLE, Math.max(MIN_SAMPLE, Math.round(value)));
}

/** The bytes of samples, the lower first, on a machine of either order. */
function toPcm(samples: Int16Array<ArrayBuffer>): Uint8Array {
  if (IS_LITTLE_ENDIAN) return new Uint8Array(samples.buffer, 0, samples.length * 2);
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => view.setInt16(index * 2, sample, true));
  return bytes;
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
