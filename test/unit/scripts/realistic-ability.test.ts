/** @module-tag broad */
// The realistic ability of `test/realistic-ability/`, laid over a copy of the tree: its story runs there.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

import { layOverCopy } from "../../../scripts/realistic-ability/lay-over-copy.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const STORY = "test/worker/memos/memos.test.ts";

test("an ability reaches every door by its hooks and the edits that are listed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "realistic-ability-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { problems } = layOverCopy(ROOT, folder);
  expect(problems).toEqual([]);

  // Its own vitest: that of this test is of the tree without the ability.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  const { stdout } = await promisify(execFile)(
    join(folder, "node_modules/.bin/vitest"),
    ["run", "--project", "worker", STORY],
    {
      cwd: folder,
      env: { ...Object.fromEntries(environment), NO_COLOR: "1", REPRISE_TESTS: "narrow" },
    },
  );

  expect(stdout).toMatch(/Tests +2 passed/);
});
