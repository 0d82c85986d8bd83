// Addresses of `/docs` that others may have linked to. A heading that moves gets an entry in moved-headings.ts.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { SITE_PAGES } from "../../../openapi/site/pages.js";

/** The anchors of each page, by its path below `/docs/`. */
const ADDRESSES = JSON.parse(readFileSync("test/fixtures/site/addresses.json", "utf8")) as Record<
  string,
  readonly string[]
>;

test("every page and heading of before the pages were split is found at its old address", () => {
  const missing = Object.entries(ADDRESSES).flatMap(([path, anchors]) => {
    const page = SITE_PAGES.find((one) => one.path === path);
    if (!page) return [path];
    const html = page.html + page.moved;
    return anchors.filter((id) => !html.includes(` id="${id}"`)).map((id) => `${path}#${id}`);
  });

  expect(Object.values(ADDRESSES).flat().length).toBeGreaterThan(300);
  expect(missing).toEqual([]);
});
