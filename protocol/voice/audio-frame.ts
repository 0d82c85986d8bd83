// Binary frames of a voice connection: a header of eight bytes, then PCM16LE of one channel. No zod: clients use it.
import { AUDIO_RATES, SAMPLE_BYTES } from "./limits.ts";

export const AUDIO_HEADER_BYTES = 8;
const VERSION = 1;
const PCM16LE = 0;

export interface AudioFrame {
  /** The number of the item, 1 to 65,535. */
  readonly item: number;
  /** Milliseconds from the item's start to the frame's first sample. */
  readonly ms: number;
  /** Samples of 16 bits, little-endian. */
  readonly pcm: Uint8Array;
}

/** The frame as bytes: version, kind, the item (16 bits) and its milliseconds (32 bits), both big-endian, the samples. */
export function encodeAudioFrame({ item, ms, pcm }: AudioFrame): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(AUDIO_HEADER_BYTES + pcm.byteLength);
  const header = new DataView(bytes.buffer);
  header.setUint8(0, VERSION);
  header.setUint8(1, PCM16LE);
  header.setUint16(2, item);
  header.setUint32(4, Math.max(0, Math.round(ms)));
  bytes.set(pcm, AUDIO_HEADER_BYTES);
  return bytes;
}

/**
 * The frame in `bytes`, which it shares. A sentence on what is wrong with bytes that are none: another version or kind,
 * no whole samples.
 */
export function decodeAudioFrame(bytes: Uint8Array): AudioFrame | string {
  if (bytes.byteLength < AUDIO_HEADER_BYTES) return "an audio frame begins with eight bytes";
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = header.getUint8(0);
  if (version !== VERSION) return `version ${version} of audio frames is not known; ours is 1`;
  const kind = header.getUint8(1);
  if (kind !== PCM16LE) return `audio of the kind ${kind} is not known; 0 is PCM16LE, mono`;
  const pcm = bytes.subarray(AUDIO_HEADER_BYTES);
  if (pcm.byteLength % SAMPLE_BYTES !== 0) return "a sample has two bytes";
  return { item: header.getUint16(2), ms: header.getUint32(4), pcm };
}

/** Whether audio may have the rate. */
export function isAudioRate(rate: number): boolean {
  return AUDIO_RATES.some((known) => known === rate);
}

/** Milliseconds of so many bytes of audio. */
export function audioMs(bytes: number, rate: number): number {
  return (bytes / SAMPLE_BYTES / rate) * 1_000;
}
