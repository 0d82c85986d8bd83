// README.md's sentences about the state of things follow from the pages, the routes and the folders.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { fileOfPage, REFERENCE } from "../../../openapi/site/contents.ts";
import { SITE_PAGES } from "../../../openapi/site/pages.js";

const ROOT = new URL("../../../", import.meta.url);
const README = readFileSync(new URL("README.md", ROOT), "utf8");

function sectionOf(title: string): string {
  const [, rest = ""] = README.split(`\n## ${title}\n`);
  return rest.split("\n## ")[0] ?? "";
}

test("/docs has every page that is linked", () => {
  const linked = [...README.matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]*)?\)/g)].map(
    ([, file = ""]) => file,
  );
  const served = SITE_PAGES.map(({ path }) => fileOfPage(path));

  expect(linked.length).toBeGreaterThan(40);
  expect(linked.filter((file) => !served.includes(file))).toEqual([]);
});

test("the status names every page of the reference, and pages that are there", () => {
  const named = [...sectionOf("Status").matchAll(/\(docs\/([\w-]+)\.md\)/g)].map(
    ([, name]) => name,
  );
  const pages = REFERENCE.flatMap(({ paths }) => paths).filter(
    (path) => fileOfPage(path) === `docs/${path}.md` && !path.includes("/"),
  );

  expect(pages.filter((path) => !named.includes(path))).toEqual([]);
  expect(readdirSync(new URL("docs", ROOT))).toEqual(
    expect.arrayContaining(named.map((name) => `${name}.md`)),
  );
});

test("the layout has every folder", () => {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .map(({ name }) => name);
  const layout = sectionOf("Layout");

  expect(folders.filter((name) => !layout.includes(`\`${name}/\``))).toEqual([]);
});

test("the milliseconds of a token are those of docs/performance.md", () => {
  const page = readFileSync(new URL("docs/performance.md", ROOT), "utf8");
  const [, floor, own] =
    /\| added per token, median, 4 sessions \| ([\d.]+) ms \| ([\d.]+) ms/.exec(page) ?? [];
  const added = (Number(own) - Number(floor)).toFixed(2);

  expect(README).toContain(`reaches the client ${added} ms later`);
});
