// Files and folders that docs/, README.md and AGENTS.md name are there. Decisions keep the paths of their day.
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGES = [...globSync("docs/**/*.md"), "README.md", "AGENTS.md"].filter(
  (path) => !path.startsWith("docs/decisions/"),
);
/** Pages about tests leave out the folder of a suite: `tools/code` is of `test/unit/`. */
const TEST_PAGES = /^docs\/(testing|models\/differences)/;
/** The folders of the repository: `dist/` is made. */
const FOLDERS = globSync("*/")
  .map((path) => path.replace(/\/$/, ""))
  .filter((name) => name !== "dist");

/** Paths in backticks that begin with a folder of the repository: `a/{b,c}.ts` is two of them. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([a-z-]+\/[\w./*{},-]*)`/g)]
    .flatMap(([, path = ""]) => expand(path))
    .filter((path) => FOLDERS.includes(path.split("/")[0] ?? ""));
}

function expand(path: string): readonly string[] {
  const [whole, inner] = /\{([^}]*)\}/.exec(path) ?? [];
  if (whole === undefined || inner === undefined) return [path];
  return inner.split(",").flatMap((part) => expand(path.replace(whole, part)));
}

test("every path that a page names is there", () => {
  const missing = PAGES.flatMap((page) =>
    pathsIn(readFileSync(page, "utf8"))
      .filter((path) => !TEST_PAGES.test(page) || path.startsWith("test/"))
      .filter((path) => (path.includes("*") ? globSync(path).length === 0 : !existsSync(path)))
      .map((path) => `${page}: ${path}`),
  );

  expect(pathsIn(readFileSync("docs/architecture.md", "utf8")).length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
