import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

export interface Page {
  readonly html: string;
  readonly css: string;
  readonly script: string;
}

const FOLDER = fileURLToPath(new URL("page/", import.meta.url));

/** Bundles the page: one script with all its imports. */
export async function buildPage(): Promise<Page> {
  const [html, css, built] = await Promise.all([
    readFile(`${FOLDER}index.html`, "utf8"),
    readFile(`${FOLDER}page.css`, "utf8"),
    build({
      entryPoints: [`${FOLDER}main.ts`],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      minify: true,
      logLevel: "error",
    }),
  ]);
  return { html, css, script: built.outputFiles[0]?.text ?? "" };
}
