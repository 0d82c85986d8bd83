import { build, type Plugin } from "esbuild";

export interface WorkerBundle {
  /** One module of JavaScript. */
  readonly code: string;
  /** Paths of the files that it was made of, relative to the working directory. */
  readonly inputs: readonly string[];
}

/**
 * The Worker as one module of JavaScript, for a runtime that compiles no TypeScript. It has no source map, which
 * nothing of the local runtime reads: with one it is four times as long, and the runtime's configuration, which carries
 * it and is copied at each of its entries, took most of the processor time of a start.
 * @param entry Path of the Worker's entry.
 * @param define Constants from wrangler.toml.
 * @param plugins For packages that need more than the platform's own.
 */
export async function bundleWorker(
  entry: string,
  define: Readonly<Record<string, string>> = {},
  plugins: readonly Plugin[] = [],
): Promise<WorkerBundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text" },
    logLevel: "silent",
    define: { ...define },
    plugins: [...plugins],
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild wrote nothing for ${entry}`);
  return { code: bundle.text, inputs: Object.keys(metafile.inputs) };
}
