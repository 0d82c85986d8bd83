// Breadth of the suites. `npm test` proves each behaviour once; tests with the tag `broad` prove it again in other cases,
// shapes and places, and run in `npm run test:broad` and `npm run test:all`. Of properties `npm test` draws a quarter of the
// runs, and `npm run test:all` (`REPRISE_TESTS=all`) ten times as many, with each place of a walk.

/** Options of a test, or of a `describe`, that `npm test` leaves out. A whole file has `@module-tag broad` as its first line. */
export const BROAD = { tags: ["broad"] };

/** Of the command that runs; in workerd the variable comes as a binding, see vitest.config.ts. */
const CHOICE = process.env["REPRISE_TESTS"];
const TESTS_ALL = CHOICE === "all";

const FACTOR = 10;
/** `npm test` draws a part of the runs of a property. */
const PART = 4;
/** Odd, so that a walk over places that come in pairs (before, after) has both halves. */
const STRIDE = 3;
/** Rows of a table are more alike than the places of a walk. */
const ROW_STRIDE = 5;

/**
 * Rows of a table for `it.each` or `describe.each`, in two parts with the options of each: `count` of them, evenly spread
 * and the first among them, for every command, and the others, which are broad.
 * @param others `npm run test:broad` proves each of the others, or a walk over them. A table of who may see what is proved
 * row by row in each landing.
 */
export function sampled<const Row>(
  rows: readonly Row[],
  count = 1,
  others: "each" | "walked" = "walked",
): readonly (readonly [rows: readonly Row[], options: { tags?: string[] }])[] {
  const step = Math.max(1, Math.ceil(rows.length / count));
  const rest = rows.filter((_, index) => index % step !== 0);
  return [
    [rows.filter((_, index) => index % step === 0), {}],
    [others === "each" ? rest : walk(rest, ROW_STRIDE), BROAD],
  ];
}

/** Runs of a property: as many as are given, a quarter of them in `npm test`, ten times as many in `npm run test:all`. */
export function runs(count: number): number {
  return CHOICE === "narrow" ? Math.ceil(count / PART) : factorOf(count);
}

function factorOf(count: number): number {
  return TESTS_ALL ? count * FACTOR : count;
}

/** Seeds from 1 on, for `it.each`: as many as are given, but in `npm run test:all`. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: factorOf(count) }, (_, index) => index + 1);
}

/**
 * Places of a walk, in their order: the first, the last and each third between them, or as far apart as a stride says.
 * `npm run test:all` has each place.
 */
export function walk<Place>(places: readonly Place[], stride = STRIDE): readonly Place[] {
  if (TESTS_ALL) return places;
  return places.filter((_, index) => index % stride === 0 || index === places.length - 1);
}

/** Whole numbers of a walk, both ends included: see `walk`. */
export function walkFrom(first: number, last: number): readonly number[] {
  return walk(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
