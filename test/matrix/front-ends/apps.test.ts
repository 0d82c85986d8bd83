import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

import { requirePackages } from "./require-packages.ts";

test("the apps, which the guides show, are free of type errors", () => {
  requirePackages();
  const project = "test/matrix/front-ends/tsconfig.json";

  const output = execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", project]);

  expect(output.toString()).toBe("");
});
