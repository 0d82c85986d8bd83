// The R2 bucket of Cloudflare's local tools as a module for bundles of the bench: their files import each other by names
// that only their own configuration resolves.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { Plugin } from "esbuild";

const FILES: Readonly<Record<string, string>> = {
  "miniflare:bucket": "workers/r2/bucket.worker.js",
  "miniflare:shared": "workers/shared/index.worker.js",
  "miniflare:zod": "workers/shared/zod.worker.js",
};

export const LOCAL_BUCKET: Plugin = {
  name: "local-bucket",
  setup(build) {
    const folder = dirname(createRequire(import.meta.url).resolve("miniflare"));
    build.onResolve({ filter: /^miniflare:/ }, ({ path }) => {
      const file = FILES[path];
      return file === undefined ? null : { path: join(folder, file) };
    });
    // The runtime's own modules, which it gives to extensions alone.
    build.onResolve({ filter: /^node-internal:internal_(assert|buffer)$/ }, ({ path }) => ({
      path: path.replace("node-internal:internal_", "node:"),
      external: true,
    }));
  },
};
