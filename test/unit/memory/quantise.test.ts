import { expect, it } from "vitest";

import { codeDistance, codeOf, quantise, similarity } from "../../../agent/memory/quantise.ts";
import { MAX_EMBEDDING_DIMENSIONS } from "../../../protocol/memory/limits.ts";

/** Numbers that look random, and are the same each time. */
function vectorOf(seed: number, dimensions = 1_536): number[] {
  let state = seed;
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const bytesOf = (vector: readonly number[]) => quantise(vector)!;

it("a vector keeps its direction in a byte for each dimension", () => {
  const vector = vectorOf(1);
  const scaled = vector.map((value) => value * 0.001);

  expect(bytesOf(scaled)).toEqual(bytesOf(vector));
  expect(similarity(bytesOf(vector), bytesOf(vector))).toBeCloseTo(1, 10);
  expect(Math.abs(similarity(bytesOf(vector), bytesOf(vectorOf(2))))).toBeLessThan(0.1);
});

it("a vector without a direction has no bytes", () => {
  expect(quantise([0, 0, 0])).toBe(null);
  expect(quantise([Number.NaN, 1])).toBe(null);
  expect(quantise([Number.POSITIVE_INFINITY, 1])).toBe(null);
});

it.each([8, 512, 1_536, MAX_EMBEDDING_DIMENSIONS])(
  "of %i dimensions, the code of a similar vector is nearer than that of another",
  (dimensions) => {
    const vector = vectorOf(3, dimensions);
    const noise = vectorOf(4, dimensions);
    const similar = vector.map((value, index) => value + 0.2 * (noise[index] ?? 0));
    const codes = new Uint32Array([...codeOf(bytesOf(similar)), ...codeOf(bytesOf(noise))]);
    const code = codeOf(bytesOf(vector));

    expect(codeDistance(code, code, 0)).toBe(0);
    expect(codeDistance(code, codes, 0)).toBeLessThan(codeDistance(code, codes, 16));
  },
);

it("vectors of two models are not alike", () => {
  expect(similarity(bytesOf(vectorOf(1, 8)), bytesOf(vectorOf(1, 16)))).toBe(0);
});
