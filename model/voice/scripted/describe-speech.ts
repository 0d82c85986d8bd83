import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { pcmToText } from "../tones.ts";

/** The text of a turn; of one that holds no speech of ours, how long it was. */
export function describeSpeech(pcm: Uint8Array, rate: number): string {
  const seconds = pcm.byteLength / SAMPLE_BYTES / rate;
  return pcmToText(pcm, rate) ?? `(speech of ${seconds.toFixed(1)} s)`;
}
