import { execFileSync } from "node:child_process";

import { expect, test } from "vitest";

test("the apps, which the guides show, are free of type errors", () => {
  const project = "test/matrix/front-ends/tsconfig.json";

  const output = execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", project]);

  expect(output.toString()).toBe("");
});
