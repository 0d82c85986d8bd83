// The files of each suite, and which of their tests a command runs. The configurations of vitest read both;
// test/unit/boundary/suites.test.ts holds that no file is in two suites or in none.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const SUITES = {
  // `npm test`, `npm run test:broad`, `npm run test:all`: need Node and workerd, which come with the packages.
  unit: ["test/unit/**/*.test.ts"],
  worker: ["test/worker/**/*.test.ts", "test/tenancy/**/*.test.ts"],
  conformance: ["test/{conformance,hostile,sdk}/**/*.test.ts"],
  // `npm run test:matrix`: needs a browser, or drives the running platform by a released client of others.
  matrix: ["test/matrix/**/*.test.ts"],
  // `npm run test:long`: the soaks.
  long: ["test/long/**/*.test.ts"],
};

/** The tag of what `npm test` leaves out: see test/support/breadth.ts. */
export const BROAD_TAG = {
  name: "broad",
  description: "proves again, in other cases, what another test proves",
};

/** The tests that a command of this value of `REPRISE_TESTS` runs; without one, everything that is named. */
export function chosenTests(choice: string | undefined): {
  exclude: string[];
  tagsFilter?: string[];
} {
  const modules = ["**/node_modules/**"];
  if (choice !== "narrow" && choice !== "broad") return { exclude: modules };
  // A file of which nothing is run is not loaded either.
  const others = choice === "narrow" ? "broad" : "narrow";
  const leftOut = listTestFiles().filter((path) => breadthOf(path) === others);
  const tag = BROAD_TAG.name;
  return {
    exclude: [...modules, ...leftOut],
    tagsFilter: [choice === "narrow" ? `!${tag}` : tag],
  };
}

/** From the repository's root. */
export function listTestFiles(): readonly string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules/"))
    .map((name) => join("test", name))
    .toSorted();
}

/** Whether all tests of a file are broad, none, or some. */
export function breadthOf(path: string): "broad" | "mixed" | "narrow" {
  const text = readFileSync(path, "utf8");
  if (text.startsWith(`/** @module-tag ${BROAD_TAG.name} */\n`)) return "broad";
  return importsTags(text) ? "mixed" : "narrow";
}

/** Whether a file marks tests of its own as broad. */
export function importsTags(text: string): boolean {
  return /^import \{[^}]*\b(?:BROAD|sampled)\b[^}]*\} from "[^"]*\/breadth\.ts";$/m.test(text);
}
