// Bundling takes a quarter of the processor time of a start, and nearly every start has the sources of the last one.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { version as bundlerVersion } from "esbuild";

import { bundleWorker } from "./bundle-worker.ts";

interface StoredBundle {
  /** The digest of each file as it was read; the bundle is made anew when one differs. */
  readonly digests: Readonly<Record<string, string>>;
  readonly code: string;
}

/** Read by the bundler and in no bundle. */
const SETTINGS = ["tsconfig.json", "package-lock.json"];

/**
 * The Worker's bundle: the one that is kept when everything that it was made of is the same, by content; or a new one,
 * which is kept. Several processes may do so at once.
 * @param root The project's folder. Bundles are kept in its `dist/worker/`.
 * @param entry Path of the Worker's entry.
 * @param define Constants from wrangler.toml.
 */
export async function reuseBundle(
  root: string,
  entry: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(root, "dist/worker");
  const name = digest(JSON.stringify([bundlerVersion, relative(root, entry), define]));
  const path = join(folder, `${name}.json`);
  const stored = read(path);
  if (stored && isFresh(root, stored)) return stored.code;

  const begunAt = Date.now();
  const { code, inputs } = await bundleWorker(entry, define);
  const files = [...SETTINGS, ...inputs.map((input) => relative(root, input))];
  // The bundler may have read what a file was before.
  if (files.some((file) => changedAt(join(root, file)) >= begunAt)) return code;
  const digests = Object.fromEntries(files.map((file) => [file, digestFile(join(root, file))]));
  keep(folder, path, { digests, code });
  return code;
}

/** As a whole, so that no other process reads half of it. On a disk that takes nothing the next start bundles again. */
function keep(folder: string, path: string, bundle: StoredBundle): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return;
  }
  try {
    writeFileSync(draft, JSON.stringify(bundle));
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** @returns undefined when there is none, and for one that a full disk has cut off. */
function read(path: string): StoredBundle | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as StoredBundle;
  } catch {
    return undefined;
  }
}

function isFresh(root: string, { digests }: StoredBundle): boolean {
  return Object.entries(digests).every(([file, known]) => digestFile(join(root, file)) === known);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @returns an empty text for a file that is gone. */
function digestFile(path: string): string {
  try {
    return digest(readFileSync(path));
  } catch {
    return "";
  }
}

function digest(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
