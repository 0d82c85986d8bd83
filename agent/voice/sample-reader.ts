// Samples of PCM16LE audio that comes in pieces of any size.

export class SampleReader {
  /** The first byte of a sample whose second has not come. */
  #half: number | null = null;

  /** The samples that are whole with these bytes. */
  read(pcm: Uint8Array): Int16Array {
    const first = this.#half;
    const length = pcm.length + (first === null ? 0 : 1);
    const samples = new Int16Array(length >> 1);
    // The place in `pcm` of the first sample's second byte.
    let place = first === null ? 1 : 0;
    for (let index = 0; index < samples.length; index += 1, place += 2) {
      const low = place === 0 ? (first ?? 0) : (pcm[place - 1] ?? 0);
      samples[index] = low | ((pcm[place] ?? 0) << 8);
    }
    if (length % 2 === 0) this.#half = null;
    else if (pcm.length > 0) this.#half = pcm[pcm.length - 1] ?? 0;
    return samples;
  }
}
