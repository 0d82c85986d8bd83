import { build } from "esbuild";

/**
 * The Worker as one module of JavaScript, for a runtime that compiles no TypeScript.
 * @param entry Path of the Worker's entry.
 * @param define Constants from wrangler.toml.
 */
export async function bundleWorker(
  entry: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text" },
    sourcemap: "inline",
    keepNames: true,
    logLevel: "silent",
    define: { ...define },
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild wrote nothing for ${entry}`);
  return bundle.text;
}
