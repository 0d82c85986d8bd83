import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

describe("docs/permissions.md", () => {
  it("names the test of each place where we are stricter, and leaves none out", () => {
    const page = read("../../../docs/permissions.md");
    const table = page.slice(page.indexOf("## Stricter than"), page.indexOf("## What it cannot"));
    const documented = table
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(1)
      .map((line) => line.split(" | ").at(-1)?.replace(/ \|$/, ""));
    const source = read("./stricter.test.ts");
    const strict = source.slice(0, source.indexOf('describe("isCoveredBy"'));
    const tested = [...strict.matchAll(/^ {2}it\("([^"]+)"/gm)].map(([, title]) => title);

    expect(documented).toEqual(tested);
  });
});
