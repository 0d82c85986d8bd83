// Bundles a Worker of the bench like the platform's, with the shared settings.
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";

import type { Plugin } from "esbuild";
import { unstable_readConfig } from "wrangler";

import { bundleWorker } from "../../scripts/bundle-worker.ts";
import { LOCAL_BUCKET } from "./local-bucket.ts";
import type { WorkerService } from "./worker-service.ts";

/** @param path Path of the Worker's entry, relative to bench/. */
export async function bundleService(name: string, path: string): Promise<WorkerService> {
  const entry = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const { code } = await bundleWorker(entry, {}, [NODE_MODULES, LOCAL_BUCKET]);
  return { name, code, compatibilityDate: COMPATIBILITY_DATE };
}

/** Resolves Node modules imported without prefix or by `require`; the runtime knows them as `node:` only. */
const NODE_MODULES: Plugin = {
  name: "node-modules",
  setup(build) {
    const names = new RegExp(`^(${builtinModules.join("|")})$`);
    build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "node-modules" }));
    build.onLoad({ filter: /.*/, namespace: "node-modules" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
    }));
    // A bare workerd has no email module, so an empty one is provided.
    build.onResolve({ filter: /^cloudflare:email$/ }, ({ path }) => ({ path, namespace: "mail" }));
    build.onLoad({ filter: /.*/, namespace: "mail" }, () => ({
      contents: "export class EmailMessage {}",
    }));
  },
};

const COMPATIBILITY_DATE = readCompatibilityDate();

/** The platform's compatibility date, for all peers. */
function readCompatibilityDate(): string {
  const { compatibility_date } = unstable_readConfig({
    config: fileURLToPath(new URL("../../wrangler.toml", import.meta.url)),
  });
  if (!compatibility_date) throw new Error("wrangler.toml names no compatibility date");
  return compatibility_date;
}
