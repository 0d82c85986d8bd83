// Embeddings as they are stored: a byte for each dimension, and a code of bits by which the nearest are found first. Pure.
import { CODE_BITS } from "../../protocol/memory/limits.ts";

/** Words of 32 bits of a code. */
export const CODE_WORDS = CODE_BITS / 32;

/** A vector of length 1 as bytes; null for one without a direction. */
export function quantise(vector: readonly number[]): Int8Array | null {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (!Number.isFinite(largest) || largest === 0) return null;
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}

/**
 * The signs of {@link CODE_BITS} sums, each over the dimensions that have its number but for multiples: vectors in one
 * direction have similar codes.
 */
export function codeOf(bytes: Int8Array): Uint32Array {
  const sums = new Int32Array(CODE_BITS);
  for (const [dimension, value] of bytes.entries()) {
    const bit = dimension % CODE_BITS;
    // Alternating signs, so that two folds do not only add up.
    const sign = Math.floor(dimension / CODE_BITS) % 2 === 0 ? 1 : -1;
    sums[bit] = (sums[bit] ?? 0) + sign * value;
  }
  const code = new Uint32Array(CODE_WORDS);
  for (const [bit, sum] of sums.entries()) {
    const word = bit >>> 5;
    if (sum > 0) code[word] = ((code[word] ?? 0) | (1 << (bit & 31))) >>> 0;
  }
  return code;
}

/** Bits in which a code differs from the one that begins at this word of `codes`. */
export function codeDistance(code: Uint32Array, codes: Uint32Array, from: number): number {
  let distance = 0;
  for (let word = 0; word < CODE_WORDS; word += 1) {
    distance += countBits((code[word] ?? 0) ^ (codes[from + word] ?? 0));
  }
  return distance;
}

/** The cosine of the angle between two vectors; 0 for vectors of two models. */
export function similarity(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return 0;
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index] ?? 0, other[index] ?? 0];
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne === 0 || ofOther === 0 ? 0 : product / Math.sqrt(ofOne * ofOther);
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (((fours + (fours >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
