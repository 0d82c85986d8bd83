// Breadth of walks, seeds and generated cases: `npm test` takes what proves a behaviour once, `npm run test:all`
// (`REPRISE_TESTS=all`) ten times as much of what is drawn.

/** Whether `npm run test:all` runs. In workerd the variable comes as a binding, see vitest.config.ts. */
const TESTS_ALL: boolean = process.env["REPRISE_TESTS"] === "all";

const FACTOR = 10;

/** Runs of a property: as many as are given in `npm test`. */
export function runs(count: number): number {
  return TESTS_ALL ? count * FACTOR : count;
}

/** Seeds from 1 on, for `it.each`: as many as are given in `npm test`. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: runs(count) }, (_, index) => index + 1);
}
