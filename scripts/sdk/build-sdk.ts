// Builds the SDK's package: ECMAScript modules and declarations that import nothing outside of it.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { build } from "tsdown";

import { writePlainSources, type PlainType } from "./write-plain-sources.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface BuiltSdk {
  /** The folder that `npm publish` takes. */
  readonly folder: string;
  /** The same packed. */
  readonly tarball: string;
  /** The sources that were bundled, in `sdk` and `protocol`. */
  readonly sources: string;
  readonly plainTypes: readonly PlainType[];
}

/** The members of sdk/package.json that the build reads; the others are copied. */
interface Manifest {
  /** Members for the sources alone. */
  readonly private: unknown;
  readonly scripts: unknown;
  readonly exports: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string };
}

/** @param target Its content is replaced; `dist/sdk` of the repository when left out. */
export async function buildSdk(target: string = join(ROOT, "dist/sdk")): Promise<BuiltSdk> {
  const [folder, sources] = [join(target, "package"), join(target, "sources")];
  rmSync(target, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(ROOT, "sdk/package.json"), "utf8");
  const manifest = JSON.parse(text) as Manifest;
  const entries = entriesOf(manifest);

  const paths = Object.values(entries).map((path) => join("sdk", path));
  const plainTypes = await writePlainSources(ROOT, sources, paths);
  const tsconfig = join(target, "tsconfig.json");
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(ROOT, "tsconfig.sdk.json"), include: [join(sources, "sdk")] }),
  );
  await build({
    config: false,
    cwd: target,
    entry: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, join(sources, "sdk", path)]),
    ),
    outDir: folder,
    clean: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    tsconfig,
    dts: true,
    deps: { neverBundle: [/^@ag-ui\//, /^react$/] },
    outputOptions: { chunkFileNames: "chunks/[name].js" },
    logLevel: "error",
    report: false,
  });

  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify(publishedManifest(manifest, entries), null, 2)}\n`,
  );
  copyFileSync(join(ROOT, "sdk/README.md"), join(folder, "README.md"));
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", folder, "--pack-destination", target, "--json", "--ignore-scripts"],
    { cwd: target },
  );
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  if (!packed) throw new Error("npm pack named no file");
  return { folder, tarball: join(target, packed.filename), sources, plainTypes };
}

/** The package's modules: the name of the built file, and the source below sdk/. */
function entriesOf({ exports }: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => [name === "." ? "index" : name.slice(2), path]),
  );
}

function publishedManifest(manifest: Manifest, entries: Readonly<Record<string, string>>): object {
  const { private: _private, scripts: _scripts, ...kept } = manifest;
  const exports = Object.keys(entries).map((name) => [
    name === "index" ? "." : `./${name}`,
    { types: `./${name}.d.ts`, default: `./${name}.js` },
  ]);
  return {
    ...kept,
    repository: { ...manifest.repository, url: repositoryUrl(manifest) },
    // For tools that read no `exports`.
    main: "./index.js",
    types: "./index.d.ts",
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    files: ["*.js", "*.d.ts", "chunks"],
  };
}

/** A provenance statement has to name the repository that continuous integration builds. */
function repositoryUrl({ repository }: Manifest): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? `git+${server}/${name}.git` : repository.url;
}
