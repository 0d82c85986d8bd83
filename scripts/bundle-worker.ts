import { build, type Plugin } from "esbuild";

/**
 * The Worker as one module of JavaScript, for a runtime that compiles no TypeScript.
 * @param entry Path of the Worker's entry.
 * @param define Constants from wrangler.toml.
 * @param plugins For packages that need more than the platform's own.
 */
export async function bundleWorker(
  entry: string,
  define: Readonly<Record<string, string>> = {},
  plugins: readonly Plugin[] = [],
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
    logLevel: "silent",
    define: { ...define },
    plugins: [...plugins],
  });
  const [bundle] = outputFiles;
  if (!bundle) throw new Error(`esbuild wrote nothing for ${entry}`);
  return bundle.text;
}
