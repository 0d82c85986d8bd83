// Bytes of PCM16LE audio that comes in pieces of any size, in whole samples.
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";

export class WholeSamples {
  /** The first byte of a sample whose second has not come. */
  #half = new Uint8Array(0);

  /** The bytes that are whole with these; the same ones where nothing is left of before. */
  push(pcm: Uint8Array): Uint8Array {
    const before = this.#half.byteLength;
    const bytes = before === 0 ? pcm : joined(this.#half, pcm);
    const rest = bytes.byteLength % SAMPLE_BYTES;
    if (rest === 0 && before === 0) return pcm;
    const whole = bytes.byteLength - rest;
    this.#half = bytes.slice(whole);
    return bytes.subarray(0, whole);
  }
}

function joined(before: Uint8Array, more: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.byteLength + more.byteLength);
  all.set(before);
  all.set(more, before.byteLength);
  return all;
}
