import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { MIGRATIONS } from "../../../storage/tables/migrations.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);

it("/readyz asks for every file of migrations/, in their order", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

  expect(MIGRATIONS).toEqual(files.sort());
});

it("CHANGELOG.md names every file of migrations/, for those who apply them", () => {
  const changelog = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");

  expect(MIGRATIONS.filter((name) => !changelog.includes(`\`${name}\``))).toEqual([]);
});
