// A start takes the bundle of the last one, and never an old one.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { reuseBundle } from "../../../scripts/reuse-bundle.ts";

interface Project {
  readonly root: string;
  write(file: string, text: string, at?: Date): void;
  bundle(define?: Readonly<Record<string, string>>): Promise<string>;
  /** The files that are kept. */
  kept(): readonly string[];
}

function makeProject(): Project {
  const root = mkdtempSync(join(tmpdir(), "reprise-bundle-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "dist/worker");
  const project: Project = {
    root,
    write(file, text, at = new Date(0)) {
      writeFileSync(join(root, file), text);
      utimesSync(join(root, file), at, at);
    },
    bundle: (define) => reuseBundle(root, join(root, "entry.ts"), define),
    kept: () => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
  };
  project.write("entry.ts", 'import { word } from "./word.ts"; console.log(word, MODE);');
  project.write("word.ts", 'export const word: string = "first";');
  project.write("package-lock.json", "{}");
  return project;
}

/** Only a bundle that was kept has the mark. */
function markKept(project: Project): void {
  for (const path of project.kept()) {
    const stored = JSON.parse(readFileSync(path, "utf8")) as { code: string };
    writeFileSync(path, JSON.stringify({ ...stored, code: `// kept\n${stored.code}` }));
  }
}

test("a bundle is taken again while its sources are the same", async () => {
  const project = makeProject();
  expect(await project.bundle()).toContain('"first"');

  markKept(project);

  expect(await project.bundle()).toContain("// kept");
});

test.each([
  ["a source", "word.ts", 'export const word: string = "second";'],
  ["the lockfile", "package-lock.json", '{"lockfileVersion":3}'],
  ["the settings of the compiler, which there were none of", "tsconfig.json", "{}"],
])("a change of %s, at whatever time, makes a new one", async (_, file, text) => {
  const project = makeProject();
  await project.bundle();
  markKept(project);

  project.write(file, text);

  expect(await project.bundle()).not.toContain("// kept");
});

test("a source that was removed fails as it does without a kept bundle", async () => {
  const project = makeProject();
  await project.bundle();

  rmSync(join(project.root, "word.ts"));

  await expect(project.bundle()).rejects.toThrow(/word\.ts/);
});

test("other constants have a bundle of their own", async () => {
  const project = makeProject();

  expect(await project.bundle({ MODE: '"a"' })).toContain('"a"');
  expect(await project.bundle({ MODE: '"b"' })).toContain('"b"');
  expect(project.kept()).toHaveLength(2);
});

test("a kept bundle that is cut off is made anew", async () => {
  const project = makeProject();
  await project.bundle();
  for (const path of project.kept()) writeFileSync(path, '{"digests":{},"co');

  expect(await project.bundle()).toContain('"first"');
});

test("a source that changes while it is bundled leaves no bundle behind", async () => {
  const project = makeProject();
  const later = new Date(Date.now() + 3_600_000);
  project.write("word.ts", 'export const word: string = "second";', later);

  expect(await project.bundle()).toContain('"second"');
  expect(project.kept()).toEqual([]);
});

test("where nothing can be kept, the bundle is made all the same", async () => {
  const project = makeProject();
  project.write("dist", "a file in the folder's place");

  expect(await project.bundle()).toContain('"first"');
});
