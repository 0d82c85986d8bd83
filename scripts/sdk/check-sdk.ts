// The gate `package of the SDK`: builds and packs it, and looks at it as npm, bundlers and compilers do.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { buildSdk, type BuiltSdk } from "./build-sdk.ts";
import { findTypeDifferences } from "./find-type-differences.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The only packages that the SDK may name: the peers of an entry, in the files of that entry alone. */
const PEERS: Readonly<Record<string, string>> = { "@ag-ui/client": "ag-ui.", react: "react." };

/** @returns A line for each problem; none when the package can be published. */
export async function checkSdk(): Promise<readonly string[]> {
  const built = await buildSdk(join(ROOT, "dist/sdk-check"));
  const [differences, linted, wrong] = await Promise.all([
    findTypeDifferences(built),
    lint(built),
    findWrongTypes(built),
  ]);
  return [differences, ...linted, wrong, ...findStrays(readModules(built.folder))].filter(Boolean);
}

async function lint({ tarball }: BuiltSdk): Promise<readonly string[]> {
  const bytes = Uint8Array.from(readFileSync(tarball)).buffer;
  const { messages, pkg } = await publint({
    level: "suggestion",
    pack: { tarball: bytes },
    strict: true,
  });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

function findWrongTypes({ tarball }: BuiltSdk): Promise<string> {
  const program = join(ROOT, "node_modules/.bin/attw");
  const parameters = [tarball, "--profile", "esm-only", "--no-color", "--format", "ascii"];
  return new Promise((resolve, reject) => {
    execFile(program, parameters, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve(error ? stdout + stderr : "");
    });
  });
}

/** The built modules and declarations, by path. */
function readModules(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const modules = names.filter((name) => /\.(?:js|d\.ts)$/.test(name));
  return new Map(modules.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Imports that a published module must not have: zod, and one that leaves the package. */
export function findStrays(modules: ReadonlyMap<string, string>): readonly string[] {
  return [...modules].flatMap(([name, text]) => {
    const imports = text.matchAll(/(?:\bfrom |\bimport |\bimport\()\s*["']([^"']+)["']/g);
    const strays = [...imports]
      .map(([, from = ""]) => from)
      .filter((from) => !isInside(name, from, modules))
      .map((from) => `${name} imports ${from}`);
    return /zod/i.test(text) ? [...strays, `${name} names zod`] : strays;
  });
}

function isInside(name: string, from: string, modules: ReadonlyMap<string, string>): boolean {
  if (!from.startsWith(".")) {
    const entry = Object.hasOwn(PEERS, from) && PEERS[from];
    return entry ? name.startsWith(entry) : false;
  }
  const path = join(name, "..", from);
  return modules.has(name.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path);
}
