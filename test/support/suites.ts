/**
 * The files of each suite. The configurations of vitest read them; that no file is in two suites or in none is held by
 * test/unit/boundary/suites.test.ts.
 */
export const SUITES = {
  // `npm test`: needs Node and workerd, which come with the packages.
  unit: ["test/unit/**/*.test.ts"],
  worker: ["test/worker/**/*.test.ts", "test/tenancy/**/*.test.ts"],
  conformance: ["test/{conformance,hostile,sdk}/**/*.test.ts"],
  // `npm run test:matrix`: needs a browser, or drives the running platform by a released client of others.
  matrix: ["test/matrix/**/*.test.ts"],
  // `npm run test:long`: the soaks.
  long: ["test/long/**/*.test.ts"],
};
