import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";

const HEADER_BYTES = 44;
const PCM_FORMAT = 1;

/** PCM16LE of one channel as a WAV file: raw samples are no file to an endpoint, or to a player. */
export function wavFile(pieces: readonly Uint8Array[], rate: number): Uint8Array<ArrayBuffer> {
  const pcmBytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const file = new Uint8Array(HEADER_BYTES + pcmBytes);
  const view = new DataView(file.buffer);
  const name = (at: number, letters: string) =>
    file.set(
      Array.from(letters, (letter) => letter.charCodeAt(0)),
      at,
    );
  name(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + pcmBytes, true);
  name(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM_FORMAT, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, SAMPLE_BYTES * 8, true);
  name(36, "data");
  view.setUint32(40, pcmBytes, true);
  let at = HEADER_BYTES;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.byteLength;
  }
  return file;
}
