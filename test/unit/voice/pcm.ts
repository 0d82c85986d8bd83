// PCM16LE audio of tests.

export function pcmOf(samples: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => view.setInt16(index * 2, sample, true));
  return bytes;
}

export function samplesOf(pcm: Uint8Array): readonly number[] {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Array.from({ length: pcm.byteLength >> 1 }, (_, index) => view.getInt16(index * 2, true));
}

/** Samples of a tone; `loudness` from 0 to 1. */
export function toneOf(
  hertz: number,
  rate: number,
  length: number,
  loudness: number,
): readonly number[] {
  return Array.from({ length }, (_, index) =>
    Math.round(32_767 * loudness * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );
}

/** The bytes in pieces of the given lengths, over and over; the last piece may be shorter. */
export function cutBytes(pcm: Uint8Array, lengths: readonly number[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0, index = 0; from < pcm.length; index += 1) {
    const length = Math.max(1, lengths[index % lengths.length] ?? 1);
    pieces.push(pcm.subarray(from, from + length));
    from += length;
  }
  return pieces;
}
