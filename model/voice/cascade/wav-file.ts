import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { joinBytes } from "../join-bytes.ts";

const HEADER_BYTES = 44;
const PCM_FORMAT = 1;

/** PCM16LE of one channel as a WAV file: raw samples are no file to an endpoint. */
export function wavFile(pcm: Uint8Array, rate: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const name = (at: number, letters: string) => header.set(new TextEncoder().encode(letters), at);
  name(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + pcm.byteLength, true);
  name(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM_FORMAT, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, SAMPLE_BYTES * 8, true);
  name(36, "data");
  view.setUint32(40, pcm.byteLength, true);
  return joinBytes([header, pcm]);
}
