// Speech of the scripted voice: text as audio that a program understands. A start tone, then each byte of the text's UTF-8
// for 40 ms as two tones, one for each half of the byte. Its frequencies lie below 4 kHz, so that audio of 8 kHz has them.
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import { joinBytes } from "./join-bytes.ts";

const START_MS = 80;
const START_HZ = 400;
const BYTE_MS = 40;
const FADE_MS = 5;
const LOW_HZ = 500;
const HIGH_HZ = 1_700;
const STEP_HZ = 60;
const NIBBLES = 16;
/** Of each tone of a byte; a start tone has both. */
const AMPLITUDE = 0.25;
const FULL_SCALE = 32_767;

/** Samples a second that are listened to: enough for the tones, and a sixth of the work of 48 kHz. */
const HEARD_RATE = 8_000;
/** The part of a byte that is listened to: without its fades, and right also where its beginning is some ms off. */
const HEARD_MS = 24;
/** Milliseconds of a look for a start tone, and between two looks. */
const LOOK_MS = 40;
const LOOK_STEP_MS = 10;
/** Amplitude of the weakest start tone: that of speech at a tenth of its level. */
const MIN_AMPLITUDE = 0.02;
/** Part of the energy of a look that a start tone has. */
const MIN_TONE_PART = 0.6;
/** Amplitude of a byte's weaker tone beside that of the start tone: it is a half, and less behind a poor resampler. */
const MIN_BYTE_PART = 0.15;

/** PCM16LE mono. @param rate Samples a second, a multiple of 1,000. */
export function textToPcm(text: string, rate: number): Uint8Array {
  return new ToneWriter(rate).write(text);
}

/** Writer of one speech whose text comes in pieces. */
export class ToneWriter {
  readonly #rate: number;
  /** Samples of −1 to 1 of a half of a byte. Made once each: they are the same in every byte. */
  readonly #tones = new Map<number, Float32Array>();
  #hasBegun = false;
  /** Half a letter at the end of the last piece. */
  #held = "";

  constructor(rate: number) {
    this.#rate = rate;
  }

  write(piece: string): Uint8Array {
    const text = this.#held + piece;
    const isCut = /[\ud800-\udbff]$/.test(text);
    this.#held = isCut ? text.slice(-1) : "";
    const bytes = new TextEncoder().encode(isCut ? text.slice(0, -1) : text);
    if (bytes.length === 0) return new Uint8Array();
    const parts = this.#hasBegun ? [] : [this.#mixed(START_HZ, START_HZ, START_MS)];
    this.#hasBegun = true;
    for (const byte of bytes) {
      parts.push(this.#mixed(lowHz(byte % NIBBLES), highHz(byte >> 4), BYTE_MS));
    }
    return joinBytes(parts);
  }

  #mixed(oneHz: number, otherHz: number, durationMs: number): Uint8Array {
    const one = this.#toneOf(oneHz, durationMs);
    const other = this.#toneOf(otherHz, durationMs);
    const pcm = new Uint8Array(one.length * SAMPLE_BYTES);
    const view = new DataView(pcm.buffer);
    for (let index = 0; index < one.length; index += 1) {
      const value = (one[index] ?? 0) + (other[index] ?? 0);
      view.setInt16(index * SAMPLE_BYTES, Math.round(value * FULL_SCALE), true);
    }
    return pcm;
  }

  #toneOf(hz: number, durationMs: number): Float32Array {
    const known = this.#tones.get(hz);
    if (known) return known;
    const count = (durationMs * this.#rate) / 1_000;
    const fade = (FADE_MS * this.#rate) / 1_000;
    const tone = new Float32Array(count).map((_, index) => {
      const gain = AMPLITUDE * Math.min(1, index / fade, (count - 1 - index) / fade);
      return gain * Math.sin((2 * Math.PI * hz * index) / this.#rate);
    });
    this.#tones.set(hz, tone);
    return tone;
  }
}

/**
 * The text in audio that holds speech of {@link textToPcm}, at any level, with silence and some noise around it; of
 * speech that was cut, the letters that are whole. Several speeches are joined by spaces. Null where there is none.
 * @param pcm PCM16LE mono. @param rate Samples a second, 8,000 or more.
 */
export function pcmToText(pcm: Uint8Array, rate: number): string | null {
  const heard = new HeardAudio(pcm, rate);
  const texts: string[] = [];
  let atMs = 0;
  while (atMs + LOOK_MS <= heard.durationMs) {
    const startMs = heard.findStart(atMs);
    if (startMs === null) break;
    const { bytes, endMs } = heard.readBytes(startMs);
    const text = decode(bytes);
    if (text !== "") texts.push(text);
    atMs = endMs;
  }
  return texts.length === 0 ? null : texts.join(" ");
}

class HeardAudio {
  readonly #samples: Float32Array;
  readonly #rate: number;

  constructor(pcm: Uint8Array, rate: number) {
    const factor = Math.max(1, Math.floor(rate / HEARD_RATE));
    this.#rate = rate / factor;
    this.#samples = averaged(pcm, factor);
  }

  get durationMs(): number {
    return (this.#samples.length / this.#rate) * 1_000;
  }

  /** The beginning of the next start tone, or null. */
  findStart(fromMs: number): number | null {
    for (let atMs = fromMs; atMs + LOOK_MS <= this.durationMs; atMs += LOOK_STEP_MS) {
      const amplitude = this.#amplitude(START_HZ, atMs, LOOK_MS);
      if (amplitude < MIN_AMPLITUDE) continue;
      const tonePower = amplitude ** 2 / 2;
      if (tonePower >= MIN_TONE_PART * this.#power(atMs, LOOK_MS)) return this.#align(atMs, fromMs);
    }
    return null;
  }

  /** The bytes behind the start tone at this time, and the time at which they end. */
  readBytes(startMs: number): { readonly bytes: readonly number[]; readonly endMs: number } {
    const least = this.#amplitude(START_HZ, startMs, START_MS) * MIN_BYTE_PART;
    const bytes: number[] = [];
    let atMs = startMs + START_MS;
    for (; atMs + BYTE_MS / 2 + HEARD_MS / 2 <= this.durationMs; atMs += BYTE_MS) {
      const low = this.#loudest(lowHz, atMs);
      const high = this.#loudest(highHz, atMs);
      if (Math.min(low.amplitude, high.amplitude) < least) break;
      bytes.push(high.nibble * NIBBLES + low.nibble);
    }
    return { bytes, endMs: atMs };
  }

  /** The time at which a whole start tone fits best. @param nearMs A time within it. */
  #align(nearMs: number, fromMs: number): number {
    let bestMs = nearMs;
    let best = 0;
    for (let atMs = Math.max(fromMs, nearMs - START_MS); atMs <= nearMs + LOOK_MS; atMs += 1) {
      const amplitude = this.#amplitude(START_HZ, atMs, START_MS);
      if (amplitude <= best) continue;
      best = amplitude;
      bestMs = atMs;
    }
    return bestMs;
  }

  #loudest(frequencyOf: (nibble: number) => number, byteMs: number) {
    let loudest = { nibble: 0, amplitude: 0 };
    for (let nibble = 0; nibble < NIBBLES; nibble += 1) {
      const fromMs = byteMs + (BYTE_MS - HEARD_MS) / 2;
      const amplitude = this.#amplitude(frequencyOf(nibble), fromMs, HEARD_MS);
      if (amplitude > loudest.amplitude) loudest = { nibble, amplitude };
    }
    return loudest;
  }

  /** The amplitude of a tone in a part of the audio, by Goertzel's algorithm. */
  #amplitude(hz: number, fromMs: number, durationMs: number): number {
    const from = Math.round((fromMs / 1_000) * this.#rate);
    const count = Math.round((durationMs / 1_000) * this.#rate);
    const factor = 2 * Math.cos((2 * Math.PI * hz) / this.#rate);
    let one = 0;
    let two = 0;
    for (let index = from; index < from + count; index += 1) {
      const next = (this.#samples[index] ?? 0) + factor * one - two;
      two = one;
      one = next;
    }
    const power = one * one + two * two - factor * one * two;
    return (2 * Math.sqrt(Math.max(0, power))) / count;
  }

  /** The mean power of a part of the audio, without a constant offset. */
  #power(fromMs: number, durationMs: number): number {
    const from = Math.round((fromMs / 1_000) * this.#rate);
    const count = Math.round((durationMs / 1_000) * this.#rate);
    let sum = 0;
    let squares = 0;
    for (let index = from; index < from + count; index += 1) {
      const value = this.#samples[index] ?? 0;
      sum += value;
      squares += value * value;
    }
    return squares / count - (sum / count) ** 2;
  }
}

/** Samples of −1 to 1, each the mean of `factor` ones. */
function averaged(pcm: Uint8Array, factor: number): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const count = Math.floor(pcm.byteLength / SAMPLE_BYTES / factor);
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index += 1) {
    let sum = 0;
    for (let part = 0; part < factor; part += 1) {
      sum += view.getInt16((index * factor + part) * SAMPLE_BYTES, true);
    }
    samples[index] = sum / factor / FULL_SCALE;
  }
  return samples;
}

/** Without a letter that was cut at the end; empty for bytes that are no text. */
function decode(bytes: readonly number[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
      {
        stream: true,
      },
    );
  } catch {
    return "";
  }
}

function lowHz(nibble: number): number {
  return LOW_HZ + STEP_HZ * nibble;
}

function highHz(nibble: number): number {
  return HIGH_HZ + STEP_HZ * nibble;
}
