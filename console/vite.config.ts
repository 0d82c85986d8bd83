// The console's build: static files with hashed names below `dist/assets/console/`, which wrangler's `[assets]` serves.
import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

/** Without a trailing slash. Another place is given by scripts/console/build-console.ts, which swaps the folders. */
const OUTPUT =
  process.env["CONSOLE_OUTPUT"] ??
  fileURLToPath(new URL("../dist/assets/console", import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/console/",
  logLevel: "warn",
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: "es2023",
    // `data:` URLs are no files: the policy of the page does not allow them for scripts and styles.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script.
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    reportCompressedSize: false,
  },
});
