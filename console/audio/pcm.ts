// PCM16LE, the form of sound on the wire, from and to the samples of the browser.

const FULL_SCALE = 32_768;

/** @returns a byte pair for each sample; what is louder than full scale is cut. */
export function toPcm(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < samples.length; index += 1) {
    const value = Math.round((samples[index] ?? 0) * FULL_SCALE);
    view.setInt16(index * 2, Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, value)), true);
  }
  return bytes;
}

/** Samples between -1 and 1; half a sample at the end is left out. */
export function fromPcm(pcm: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(pcm.byteLength >> 1);
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(index * 2, true) / FULL_SCALE;
  }
  return samples;
}

/** Loudness from 0 to 1, as the root of the mean square. */
export function loudnessOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}
