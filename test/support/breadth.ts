// Breadth of walks, seeds and generated cases: `npm test` takes what proves a behaviour once, `npm run test:all`
// (`REPRISE_TESTS=all`) ten times as much of what is drawn, and each place of a walk.

/** Whether `npm run test:all` runs. In workerd the variable comes as a binding, see vitest.config.ts. */
export const TESTS_ALL: boolean = process.env["REPRISE_TESTS"] === "all";

const FACTOR = 10;
/** Odd, so that a walk over places that come in pairs (before, after) has both halves. */
const STRIDE = 3;

/** Runs of a property: as many as are given in `npm test`. */
export function runs(count: number): number {
  return TESTS_ALL ? count * FACTOR : count;
}

/** Seeds from 1 on, for `it.each`: as many as are given in `npm test`. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: runs(count) }, (_, index) => index + 1);
}

/** Places of a walk, in their order: in `npm test` the first, the last and each third between them. */
export function walk<Place>(places: readonly Place[]): readonly Place[] {
  if (TESTS_ALL) return places;
  return places.filter((_, index) => index % STRIDE === 0 || index === places.length - 1);
}

/** Whole numbers of a walk, both ends included: see `walk`. */
export function walkFrom(first: number, last: number): readonly number[] {
  return walk(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
