// Every event that the platform has beside AgentScope's is explained on a page.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** A constant with the `name` of a `CUSTOM` event, behind its comment. */
const NAME = /`name` of the `CUSTOM` event(?:(?!\*\/)[^])*\*\/\nexport const \w+ = "(\w+)"/g;

function readAll(folder: string, ending: string): string {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(`${ROOT}${folder}/${name}`, "utf8"))
    .join("\n");
}

test("the pages show the form of each of the platform's own events", () => {
  const names = [...readAll("protocol", "events.ts").matchAll(NAME)].map(([, name = ""]) => name);
  const pages = readAll("docs", ".md");

  const unexplained = names.filter((name) => !pages.includes(`CUSTOM {name: "${name}"`));

  expect(names).toContain("tool_groups_changed");
  expect(unexplained).toEqual([]);
});
