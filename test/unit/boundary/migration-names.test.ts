import { readdirSync } from "node:fs";
import { expect, it } from "vitest";

import { MIGRATIONS } from "../../../storage/tables/migrations.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);

it("/readyz asks for every file of migrations/, in their order", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

  expect(MIGRATIONS).toEqual(files.sort());
});
