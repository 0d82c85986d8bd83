// Speech of the embedded voice for tests that know a browser or a file.
import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";

/** Hz of what is said. */
export const TONE_RATE = 24_000;
const FULL_SCALE = 32_767;
const WAV_HEAD_BYTES = 44;
/** Half a second. */
const SILENCE_BYTES = TONE_RATE;

/** Speech as PCM16LE. */
export function toTones(text: string): Uint8Array {
  return textToPcm(text, TONE_RATE);
}

/** Text of samples between -1 and 1; null where nothing is said. */
export function readTones(samples: readonly number[]): string | null {
  const pcm = Int16Array.from(samples, (sample) => Math.round(sample * FULL_SCALE));
  return pcmToText(new Uint8Array(pcm.buffer), TONE_RATE);
}

/** Speech in a file, as browsers take it in place of a device, with silence around: a device repeats the end of its file. */
export function toWav(text: string): Uint8Array {
  const speech = toTones(text);
  const pcm = new Uint8Array(2 * SILENCE_BYTES + speech.byteLength);
  pcm.set(speech, SILENCE_BYTES);
  const bytes = new Uint8Array(WAV_HEAD_BYTES + pcm.byteLength);
  const head = new DataView(bytes.buffer);
  const write = (at: number, name: string) => bytes.set(new TextEncoder().encode(name), at);
  write(0, "RIFF");
  head.setUint32(4, bytes.byteLength - 8, true);
  write(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  // PCM of one channel.
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, TONE_RATE, true);
  head.setUint32(28, TONE_RATE * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  write(36, "data");
  head.setUint32(40, pcm.byteLength, true);
  bytes.set(pcm, WAV_HEAD_BYTES);
  return bytes;
}

/** The text that is said in a WAV file, with its length; null where nothing is. */
export function hearWav(file: Uint8Array): { readonly ms: number; readonly text: string | null } {
  const rate = new DataView(file.buffer, file.byteOffset).getUint32(24, true);
  const pcm = file.subarray(WAV_HEAD_BYTES);
  return { ms: (pcm.byteLength / 2 / rate) * 1_000, text: pcmToText(pcm, rate) };
}
