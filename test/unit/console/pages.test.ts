// The list of the console's pages, from which others are derived, and the table of docs/console.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readPages } from "../../../scripts/console/read-pages.ts";

const ROOT = join(import.meta.dirname, "../../..");

test("each page has a path of its own, and each console begins with a page of its navigation", () => {
  const pages = readPages();
  const first = ["/console/", "/operator/"].map((base) =>
    pages.find(({ path }) => path.startsWith(base)),
  );

  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  expect(first.map((page) => page?.label)).toEqual(["Home", "Tenants"]);
});

test("the table of docs/console/pages.md has each page of the navigation", () => {
  const lines = readFileSync(join(ROOT, "docs/console/pages.md"), "utf8").split("\n");
  const named = lines.flatMap((line) => /^\| \*([^*]+)\*(, for the operator)?/.exec(line) ?? []);
  const labels = readPages().flatMap(({ path, label }) =>
    label === null
      ? []
      : [`| *${label}*${path.startsWith("/operator/") ? ", for the operator" : ""}`],
  );

  expect(labels.filter((label) => !named.includes(label))).toEqual([]);
});
