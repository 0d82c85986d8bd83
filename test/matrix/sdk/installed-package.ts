// The SDK as an app outside the repository has it: packed, and installed by npm from the tarball.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { transform } from "esbuild";

import { buildSdk } from "../../../scripts/sdk/build-sdk.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const RUNTIMES = join(ROOT, "test/matrix/runtimes");

export interface App {
  readonly folder: string;
  remove(): void;
}

/** A program, or the version, of a package of test/matrix/runtimes. @throws When they are not installed. */
export function runtimePath(path: string): string {
  const file = join(RUNTIMES, "node_modules", path);
  if (!existsSync(file)) {
    throw new Error(`${path} is missing: run \`npm ci --prefix test/matrix/runtimes\``);
  }
  return file;
}

export function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** A new folder with the package, the story in TypeScript and JavaScript, and a module that tells it. */
export async function installPackage(): Promise<App> {
  const { tarball } = await buildSdk(join(ROOT, "dist/sdk-matrix"));
  const folder = mkdtempSync(join(tmpdir(), "reprise-app-"));
  writeFileSync(join(folder, "package.json"), `{"name":"app","private":true,"type":"module"}`);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], folder);
  const story = readFileSync(new URL("story.ts", import.meta.url), "utf8");
  const { code } = await transform(story, { loader: "ts", format: "esm" });
  writeFileSync(join(folder, "story.ts"), story);
  writeFileSync(join(folder, "story.js"), code);
  writeFileSync(join(folder, "main.js"), MAIN);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

const MAIN = `
import { tellStory } from "./story.js";
const [options] = globalThis.Deno ? Deno.args : process.argv.slice(2);
console.log(JSON.stringify(await tellStory(JSON.parse(options))));
`;

/** A program's output. @throws With all that it printed, when it fails. */
export async function run(
  program: string,
  parameters: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...environment } };
  try {
    return (await promisify(execFile)(program, [...parameters], options)).stdout;
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout ?? ""}${stderr ?? ""}`, { cause: error });
  }
}
