// Floor and platform side by side in one workerd, each on a socket of its own: no proxy stands before either.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { applyMigrations } from "../scripts/apply-migrations.ts";
import { bundleWorker } from "../scripts/bundle-worker.ts";
import { listProcesses } from "../scripts/processes.ts";

export interface Runtime {
  /** Neither has a slash at its end. */
  readonly floorUrl: string;
  readonly platformUrl: string;
  readonly operatorKey: string;
  /** Of the one process that runs both. */
  readonly pid: number;
  stop(): Promise<void>;
}

const OPERATOR_KEY = "operator-key-of-the-bench";

export async function startRuntime(): Promise<Runtime> {
  const config = unstable_readConfig({ config: pathOf("../wrangler.toml") });
  const { workerOptions, define } = unstable_getMiniflareWorkerOptions(config);
  const stateFolder = mkdtempSync(join(tmpdir(), "reprise-bench-"));
  const [floor, platform] = await Promise.all([
    bundleWorker(pathOf("worker/floor.ts")),
    bundleWorker(pathOf("worker/platform.ts"), define),
  ]);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          ...workerOptions,
          name: "platform",
          modules: [moduleOf(platform)],
          // Their local stand-in writes a row for each request: milliseconds that the network's own counter does not take.
          ratelimits: {},
          bindings: {
            ...(workerOptions["bindings"] as object),
            ENVIRONMENT: "local",
            OPERATOR_KEY,
            KEY_PEPPER: "pepper-of-the-bench",
            MASTER_KEY: btoa("master-key-of-the-bench-32-bytes"),
          },
          durableObjects: {
            // Putting an idle object away stops the whole runtime for some 20 ms here, in the middle of a stream
            // that has nothing to do with it.
            SESSION: { className: "SessionObject", useSQLite: true, unsafePreventEviction: true },
          },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        },
        {
          name: "floor",
          compatibilityDate: config.compatibility_date,
          modules: [moduleOf(floor)],
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        },
      ],
      host: "127.0.0.1",
      port: 0,
      resourcePersistencePath: stateFolder,
      log: new Log(LogLevel.ERROR),
      cf: false,
      telemetry: { enabled: false },
    }),
  );
  async function stop(): Promise<void> {
    await miniflare.dispose();
    rmSync(stateFolder, { recursive: true, force: true });
  }

  try {
    await miniflare.ready;
    for (const { binding, migrations_dir: folder = "migrations" } of config.d1_databases) {
      const database = await miniflare.getD1Database(binding, "platform");
      await applyMigrations(database, resolve(pathOf(".."), folder));
    }
    return {
      floorUrl: (await miniflare.unsafeGetDirectURL("floor")).origin,
      platformUrl: (await miniflare.unsafeGetDirectURL("platform")).origin,
      operatorKey: OPERATOR_KEY,
      pid: findRuntime(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findRuntime(): number {
  const entry = listProcesses().find(
    ({ parentPid, command }) => parentPid === process.pid && /workerd\S* serve/.test(command),
  );
  if (!entry) throw new Error("the runtime's process was not found");
  return entry.pid;
}

function moduleOf(contents: string) {
  return { type: "ESModule" as const, path: "index.js", contents };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
