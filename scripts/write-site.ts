import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The module of the pages of `/docs`: the Worker imports it, and the repository does not keep it. */
const MODULE = join(ROOT, "openapi/site/pages.js");

/** Files and folders that the pages are made of. The lockfile has the version of the renderer. */
const SOURCES = [
  "docs",
  "AGENTS.md",
  "CHANGELOG.md",
  "openapi/site/contents.ts",
  "openapi/site/moved-headings.ts",
  "scripts/docs-page",
  "scripts/render-site.ts",
  "package-lock.json",
];

/**
 * Writes the pages of `/docs` from docs/, unless the module has them already. Whoever bundles or runs the Worker calls
 * it first. Several processes may do so at once.
 */
export async function writeSite(): Promise<void> {
  const mark = `// Written by \`npm run docs:pages\` from docs/. Sources: ${digestSources()}\n`;
  if (readBeginning(mark.length) === mark) return;
  // Loaded when it is needed: a start with pages that are up to date has no use for a renderer of Markdown.
  const { renderSite } = await import("./render-site.ts");
  const draft = `${MODULE}.${process.pid}`;
  mkdirSync(dirname(MODULE), { recursive: true });
  writeFileSync(draft, mark + renderSite());
  renameSync(draft, MODULE);
}

function digestSources(): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(listTexts)) {
    hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex");
}

/** The file itself, or the sources in a folder: docs/ has pictures and decisions too, of which the module has nothing. */
function listTexts(path: string): readonly string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|ts)$/.test(name) && !name.startsWith("decisions"))
    .toSorted()
    .map((name) => `${path}/${name.replaceAll("\\", "/")}`);
}

/** @returns an empty text when there is no module. */
function readBeginning(length: number): string {
  try {
    return readFileSync(MODULE, "utf8").slice(0, length);
  } catch {
    return "";
  }
}
