// Runs the Worker locally: workerd under miniflare, with the bindings of wrangler.toml.
import { mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { applyMigrations } from "./apply-migrations.ts";
import { buildConsole } from "./console/build-console.ts";
import { failureLine } from "./failure-line.ts";
import { requireFreePort } from "./port-check.ts";
import { reuseBundle } from "./reuse-bundle.ts";
import { startSweeps } from "./start-sweeps.ts";
import { lockState } from "./state-lock.ts";
import { endOrphans, linkWorkerd } from "./workerd-program.ts";
import { writeSite } from "./write-site.ts";

export interface PlatformOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Contains the databases, the lock and the link that identifies orphaned processes. Created when missing. */
  readonly stateFolder: string;
  readonly operatorKey: string;
  readonly keyPepper: string;
  /** 32 bytes in base64. */
  readonly masterKey: string;
  /** 32 bytes in base64. */
  readonly cardKey: string;
  /** The loopback ports that tenants' URLs may use; all when left out. */
  readonly loopbackPorts?: string;
  /** Special-use names that tenants' URLs may have; those of the documentation's examples when left out. */
  readonly allowedSpecialNames?: string;
  readonly host?: string;
  /** Path of another wrangler.toml; the repository's by default. */
  readonly configPath?: string;
}

export interface Platform {
  /** `http://localhost:<port>`, without a trailing slash. */
  readonly baseUrl: string;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Milliseconds to wait for the port: the sockets of a killed process are closed only after its memory is freed, which
 * may take a while.
 */
const PORT_RELEASE_MS = 5_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CONFIG_PATH = join(ROOT, "wrangler.toml");

/**
 * Starts the platform. Only one per process: the path of the runtime's program is passed to miniflare in this process's
 * environment.
 * @throws {StartFailure} when the port or the folder is taken, or the folder was made before the baseline of the
 * migrations; nothing is left running then.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  mkdirSync(options.stateFolder, { recursive: true, mode: 0o700 });
  // The canonical path, because orphaned processes are found by it.
  const stateFolder = realpathSync(options.stateFolder);
  const lock = await lockState(stateFolder, options.port);
  try {
    const hasEndedOrphans = await endOrphans(stateFolder);
    const waitMs = hasEndedOrphans ? PORT_RELEASE_MS : 0;
    if (options.port !== 0) await requireFreePort(options.port, waitMs);
    await Promise.all([buildConsole(), writeSite()]);
    process.env["MINIFLARE_WORKERD_PATH"] = linkWorkerd(stateFolder);
    return await run(options, stateFolder, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function run(
  options: PlatformOptions,
  stateFolder: string,
  release: () => void,
): Promise<Platform> {
  // Wrangler is only used to read its configuration, and would otherwise write a log into the home folder.
  process.env["WRANGLER_LOG"] ??= "error";
  process.env["WRANGLER_WRITE_LOGS"] ??= "false";
  const [wrangler, { Miniflare, Log, LogLevel, convertV4MiniflareOptions }] = await Promise.all([
    import("wrangler"),
    import("miniflare"),
  ]);
  const configPath = options.configPath ?? CONFIG_PATH;
  const config = wrangler.unstable_readConfig({ config: configPath });
  const { workerOptions, define, main } = wrangler.unstable_getMiniflareWorkerOptions(config);
  if (main === undefined) throw new Error(`${configPath} names no entry ("main")`);

  const keepSignals = rememberSignalHandlers();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...workerOptions,
      name: config.name,
      modules: [
        { type: "ESModule", path: "index.js", contents: await reuseBundle(ROOT, main, define) },
      ],
      bindings: {
        ...(workerOptions["bindings"] as object),
        ENVIRONMENT: "local",
        OPERATOR_KEY: options.operatorKey,
        KEY_PEPPER: options.keyPepper,
        MASTER_KEY: options.masterKey,
        CARD_KEY: options.cardKey,
        ALLOWED_SPECIAL_NAMES: options.allowedSpecialNames ?? "example",
        ...(options.loopbackPorts !== undefined && { LOOPBACK_PORTS: options.loopbackPorts }),
      },
      host: options.host ?? "127.0.0.1",
      port: options.port,
      // The path of `wrangler … --local --persist-to <state folder>`.
      resourcePersistencePath: join(stateFolder, "v3"),
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: showProblems,
      // `request.cf` is a fixed value instead of being downloaded.
      cf: false,
      telemetry: { enabled: false },
    }),
  );
  keepSignals();

  try {
    const { port } = await miniflare.ready;
    for (const { binding, migrations_dir: folder = "migrations" } of config.d1_databases) {
      const database = await miniflare.getD1Database(binding);
      await applyMigrations(database, resolve(configPath, "..", folder), stateFolder);
    }
    const worker = await miniflare.getWorker();
    const endSweeps = startSweeps((cron) => worker.scheduled({ cron }));
    async function stop(): Promise<void> {
      endSweeps();
      await miniflare.dispose();
      release();
    }
    return { baseUrl: `http://localhost:${port}`, port: Number(port), stop };
  } catch (error) {
    await miniflare.dispose().catch(() => undefined);
    throw error;
  }
}

/**
 * Miniflare installs signal handlers that exit the process before our own cleanup.
 * @returns a function that removes the handlers added since.
 */
function rememberSignalHandlers(): () => void {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  return () => {
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
      }
    }
  };
}

/** Prints only warnings and errors of the Worker and the runtime. */
function showProblems(log: { readonly level: string; readonly message: string }): void {
  if (log.level === "error" || log.level === "warn") console.error(failureLine(log.message));
}
