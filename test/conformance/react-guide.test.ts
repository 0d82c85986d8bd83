// The React guide's files fit the SDK's and React's types.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { BROAD } from "../support/breadth.ts";
import { readSnippets } from "../support/read-snippets.ts";

const OPTIONS = {
  extends: resolve("tsconfig.json"),
  compilerOptions: { lib: ["ES2024", "DOM"], types: [], jsx: "react-jsx", preserveSymlinks: false },
  include: ["*.tsx"],
};

/** The guide's files in a folder of their own. */
function writeGuide(change: (code: string) => string = (code) => code): string {
  const folder = mkdtempSync(join(tmpdir(), "reprise-react-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { language, code } of readSnippets(readFileSync("docs/guides/react.md", "utf8"))) {
    const [, name] = /^\/\/ ([\w-]+\.tsx)\n/.exec(code) ?? [];
    if (language === "tsx" && name) writeFileSync(join(folder, name), change(code));
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(OPTIONS));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

async function check(folder: string): Promise<string> {
  const tsc = resolve("node_modules/.bin/tsc");
  return promisify(execFile)(tsc, ["-p", folder, "--noEmit"]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? "tsc did not start",
  );
}

test("the hook and the page of docs/guides/react.md compile", BROAD, async () => {
  expect(await check(writeGuide())).toBe("");
});

test("a member that the SDK does not have is found", async () => {
  const folder = writeGuide((code) => code.replace("session.interrupt()", "session.halt()"));

  expect(await check(folder)).toContain("Property 'halt' does not exist");
});
