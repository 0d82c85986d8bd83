// Links of the console to the documentation: a page that does not exist would be found by a person alone.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { SITE_PAGES } from "../../../openapi/site/pages.js";

const FOLDER = join(import.meta.dirname, "../../../console");

test("every link of the console to the documentation leads to one of its pages", () => {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const links = sources.flatMap((name) =>
    [...readFileSync(join(FOLDER, name), "utf8").matchAll(/"\/docs\/([\w/-]+)/g)].map(
      ([, path]) => path,
    ),
  );
  const known = new Set(["reference", ...SITE_PAGES.map(({ path }) => path)]);

  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((path) => !known.has(path ?? ""))).toEqual([]);
});
