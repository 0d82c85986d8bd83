import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { crashTable } from "../../worker/crash/crash-table.ts";

test("the crash matrix of docs/testing/layers.md is the one that the tests run", () => {
  const page = readFileSync(new URL("../../../docs/testing/layers.md", import.meta.url), "utf8");

  expect(page).toContain(`\n${crashTable()}\n`);
});
