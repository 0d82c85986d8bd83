// Bundles of an app that uses the SDK.
import { basename } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

interface AppFile {
  readonly name: string;
  readonly text: string;
  readonly gzipBytes: number;
  /** Fetched at the start; the others when they are first used. */
  readonly isInitial: boolean;
}

export interface BuiltApp {
  /** Of the project, by path. */
  readonly inputs: readonly string[];
  readonly files: readonly AppFile[];
}

export interface BuildAppOptions {
  /** The condition that the bundler sets for the kind of runtime. */
  readonly condition?: string;
  /** Whether what is loaded late comes into files of its own. */
  readonly isSplit: boolean;
}

export async function buildApp(
  contents: string,
  { condition = "browser", isSplit }: BuildAppOptions,
): Promise<BuiltApp> {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: ".", loader: "ts", sourcefile: "app.ts" },
    bundle: true,
    splitting: isSplit,
    write: false,
    outdir: "bundle",
    entryNames: "app",
    chunkNames: "[name]",
    minify: true,
    metafile: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: [condition],
    external: ["react"],
  });
  const initial = new Set<string>();
  const visit = (path: string) => {
    initial.add(path);
    for (const { kind, path: next } of metafile.outputs[path]?.imports ?? [])
      if (kind === "import-statement" && !initial.has(next)) visit(next);
  };
  visit("bundle/app.js");
  return {
    inputs: Object.keys(metafile.inputs).filter((path) => path !== "app.ts"),
    files: outputFiles.map(({ path, text, contents: bytes }) => ({
      name: basename(path),
      text,
      gzipBytes: gzipSync(bytes, { level: 9 }).length,
      isInitial: initial.has(`bundle/${basename(path)}`),
    })),
  };
}

/**
 * The source of an app that takes these modules of the SDK. Bundlers that go by exports make the same files of the
 * package's own name; esbuild takes all that a file exports for needed at the start, so with it they are named here.
 */
export function takeModules(...paths: readonly string[]): string {
  return paths.map((path) => `export * from "./${path}";`).join("\n");
}
