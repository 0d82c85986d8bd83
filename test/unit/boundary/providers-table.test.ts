// The table of docs/models/differences.md about what providers and servers do differently: each row is held by tests that are there.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);

function rowsOfTable(): readonly (readonly string[])[] {
  const page = readFileSync(new URL("docs/models/differences.md", ROOT), "utf8");
  const lines = page.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) => line.split(" | ").map((cell) => cell.trim()));
}

it("each row of what providers and servers do differently names tests that are there", () => {
  const rows = rowsOfTable();
  const missing = rows.flatMap((cells) => {
    const tests = [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    const isHeld =
      tests.length > 0 && tests.every((path) => existsSync(new URL(`test/unit/${path}`, ROOT)));
    return isHeld ? [] : [cells[0]];
  });

  expect(rows.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});
