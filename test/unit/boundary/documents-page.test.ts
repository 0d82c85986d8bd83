// The table of the documents' examples: each test that it names is there under its title.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = readFileSync("docs/documents.md", "utf8");
const NAMED = /`((?:test|examples)\/[\w./-]+\.ts)`(?: "([^"]+)")?/g;
const ROWS = PAGE.split("\n").filter(
  (line) => line.startsWith("| ") && !line.startsWith("| Example "),
);

test("every test of the table has the title that the table gives it", () => {
  const named = [...PAGE.matchAll(NAMED)];
  const missing = named.filter(
    ([, path = "", title = ""]) => !readFileSync(path, "utf8").includes(title),
  );

  expect(named.length).toBeGreaterThan(50);
  expect(missing.map(([text]) => text)).toEqual([]);
});

test("every example has a test, an example, or a reason why there is none", () => {
  const bare = ROWS.filter((row) => !/`(?:test|examples)\/|not built: |the rows above/.test(row));

  expect(bare).toEqual([]);
});
