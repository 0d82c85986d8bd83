// A Worker of the bench's own, bundled as the platform's is, with the settings that all of them share.
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";

import type { Plugin } from "esbuild";
import { unstable_readConfig } from "wrangler";

import { bundleWorker } from "../../scripts/bundle-worker.ts";
import type { WorkerService } from "./worker-service.ts";

/** @param path Of the Worker's entry, below bench/. */
export async function bundleService(name: string, path: string): Promise<WorkerService> {
  const entry = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const code = await bundleWorker(entry, {}, [NODE_MODULES]);
  return { name, code, compatibilityDate: COMPATIBILITY_DATE };
}

/** Packages ask for modules of Node by their old names, and by `require`; the runtime has them by `node:` alone. */
const NODE_MODULES: Plugin = {
  name: "node-modules",
  setup(build) {
    const names = new RegExp(`^(${builtinModules.join("|")})$`);
    build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "node-modules" }));
    build.onLoad({ filter: /.*/, namespace: "node-modules" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
    }));
    // A bare workerd has no mail. Whoever imports it does not get any.
    build.onResolve({ filter: /^cloudflare:email$/ }, ({ path }) => ({ path, namespace: "mail" }));
    build.onLoad({ filter: /.*/, namespace: "mail" }, () => ({
      contents: "export class EmailMessage {}",
    }));
  },
};

const COMPATIBILITY_DATE = readCompatibilityDate();

/** The platform's, for all that is measured beside it. */
function readCompatibilityDate(): string {
  const { compatibility_date } = unstable_readConfig({
    config: fileURLToPath(new URL("../../wrangler.toml", import.meta.url)),
  });
  if (!compatibility_date) throw new Error("wrangler.toml names no compatibility date");
  return compatibility_date;
}
