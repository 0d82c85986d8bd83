// The microphone's samples on the audio thread: one channel, in the wanted rate, in frames of PCM16.
import { FrameCutter } from "./frame-cutter.ts";
import { loudnessOf, toPcm } from "./pcm.ts";
import { Resampler } from "./resampler.ts";

/** Frame that the worklet posts. */
export interface CapturedFrame {
  readonly pcm: Uint8Array<ArrayBuffer>;
  /** From 0 to 1. */
  readonly loudness: number;
}

export interface CaptureOptions {
  /** Hz. */
  readonly rate: number;
  readonly frameMs: number;
}

// The globals of a worklet, which TypeScript's library for pages lacks.
declare const sampleRate: number;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };
declare function registerProcessor(
  name: string,
  processor: new (options: { readonly processorOptions: CaptureOptions }) => object,
): void;

class CaptureProcessor extends AudioWorkletProcessor {
  readonly #resampler: Resampler;
  readonly #cutter: FrameCutter;

  constructor({ processorOptions }: { readonly processorOptions: CaptureOptions }) {
    super();
    const { rate, frameMs } = processorOptions;
    this.#resampler = new Resampler(sampleRate, rate);
    this.#cutter = new FrameCutter(Math.round((rate * frameMs) / 1_000));
  }

  /** Called for each 128 samples. @returns true, so that a pause of the device does not end it. */
  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const [samples] = input ?? [];
    if (!samples) return true;
    for (const frame of this.#cutter.push(this.#resampler.push(samples))) {
      const pcm = toPcm(frame);
      const message: CapturedFrame = { pcm, loudness: loudnessOf(frame) };
      this.port.postMessage(message, [pcm.buffer]);
    }
    return true;
  }
}

registerProcessor("capture", CaptureProcessor);
