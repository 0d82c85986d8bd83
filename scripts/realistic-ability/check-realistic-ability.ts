// The gate of the realistic ability: how many existing files it edits, and whether the tree with it has sound types.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { layOverCopy } from "./lay-over-copy.ts";

/** Existing files that an ability with a route, a webhook and a page edits at most, tests included. */
const MAX_EDITED_FILES = 9;

/** That of the tests in workerd has all code but the console's and the scripts'. */
const CONFIGURATIONS = ["tsconfig.worker-tests.json", "tsconfig.console.json", "tsconfig.sdk.json"];

interface Verdict {
  readonly isGood: boolean;
  readonly output: string;
  readonly note: string;
}

/** @param root Of the repository. */
export async function checkRealisticAbility(root: string): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), "realistic-ability-"));
  try {
    const { edited, problems } = layOverCopy(root, folder);
    const note = `edits ${edited.length} existing files, of ${MAX_EDITED_FILES}`;
    const tooMany =
      edited.length > MAX_EDITED_FILES
        ? [`it edits ${edited.length} existing files, more than ${MAX_EDITED_FILES}:`, ...edited]
        : [];
    const types =
      problems.length > 0
        ? []
        : await Promise.all(CONFIGURATIONS.map((name) => typesOf(folder, name)));
    const output = [...problems, ...tooMany, ...types.flat()].join("\n");
    return { isGood: output === "", output: `${output}\n`, note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The compiler's complaints; nothing for sound types. */
function typesOf(folder: string, configuration: string): Promise<readonly string[]> {
  const tsc = join(folder, "node_modules/.bin/tsc");
  return new Promise((resolve) => {
    execFile(tsc, ["--noEmit", "-p", configuration], { cwd: folder }, (error, output) =>
      resolve(error ? [`${configuration}:`, output] : []),
    );
  });
}
