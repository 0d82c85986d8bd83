// Runs Workers under a bare `workerd serve`, without a proxy between the socket and the Worker.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

import { linkWorkerd } from "../../scripts/workerd-program.ts";
import { OBJECTS_FOLDER, writeWorkerdConfig } from "./workerd-config.ts";
import type { WorkerService } from "./worker-service.ts";

export interface RunningWorkerd {
  readonly pid: number;
  /** URL `http://127.0.0.1:<port>` of a public service. */
  urlOf(service: string): string;
  stop(): Promise<void>;
}

const START_MS = 30_000;
const CONTROL_FD = 3;

export async function startWorkerd(services: readonly WorkerService[]): Promise<RunningWorkerd> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-bench-"));
  mkdirSync(join(folder, OBJECTS_FOLDER));
  for (const { name, code } of services) writeFileSync(join(folder, `${name}.js`), code);
  writeFileSync(join(folder, "config.capnp"), writeWorkerdConfig(services));

  // `--experimental` is needed for databases on disk and D1 bindings; Cloudflare's local tools use it too.
  const child = spawn(
    linkWorkerd(folder),
    ["serve", "--experimental", `--control-fd=${CONTROL_FD}`, join(folder, "config.capnp")],
    { cwd: folder, stdio: ["ignore", "inherit", "inherit", "pipe"] },
  );
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const abandon = (): void => {
    child.kill("SIGKILL");
    removeFolder();
  };
  process.once("exit", abandon);
  async function stop(): Promise<void> {
    process.off("exit", abandon);
    await endProcess(child);
    removeFolder();
  }

  try {
    const awaited = services.filter(({ isPublic }) => isPublic).map(({ name }) => name);
    const ports = await readPorts(child, awaited);
    const { pid } = child;
    if (pid === undefined) throw new Error("workerd has no process");
    return { pid, urlOf: (service) => `http://127.0.0.1:${ports.get(service)}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The runtime reports the ports of its sockets on a control pipe. */
async function readPorts(
  child: ChildProcess,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  const failed = Promise.withResolvers<never>();
  child.once("error", failed.reject);
  child.once("exit", (code) => failed.reject(new Error(`workerd ended with ${code}`)));
  const timer = setTimeout(() => failed.reject(new Error("workerd did not start")), START_MS);
  const lines = createInterface({ input: child.stdio[CONTROL_FD] as Readable });
  const listening = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      const message = JSON.parse(line) as { event: string; socket?: string; port?: number };
      if (message.event !== "listen" || !message.socket || !message.port) return;
      ports.set(message.socket, message.port);
      if (names.every((name) => ports.has(name))) resolve();
    });
  });
  try {
    await Promise.race([listening, failed.promise]);
    return ports;
  } finally {
    clearTimeout(timer);
    failed.promise.catch(() => undefined);
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
