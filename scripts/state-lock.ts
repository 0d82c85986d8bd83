// Ensures one platform per state folder with SQLite's file lock: the kernel releases it when its holder dies, and of
// two concurrent starts only one gets it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

import { findProcess, isAlive, listProcesses, sendSignal } from "./processes.ts";
import { StartFailure } from "./start-failure.ts";

/** Milliseconds that a start waits for the previous platform to release the lock after a signal. */
const HANDOVER_MS = 5_000;
const POLL_MS = 50;

interface Holder {
  readonly pid: number;
  readonly command: string;
  /** Pid of the `npm` that started it; null when started directly. */
  readonly launcherPid: number | null;
  readonly port: number;
}

export interface StateLock {
  release(): void;
}

/**
 * Locks the state folder for this process. A holder whose `npm start` was killed is ended first, because Ctrl-C no
 * longer reaches it.
 * @param port Recorded for the error message of later starts; 0 when unknown.
 * @throws {StartFailure} when a platform runs on the folder.
 */
export async function lockState(stateFolder: string, port: number): Promise<StateLock> {
  const holderPath = join(stateFolder, "running.json");
  let database = tryLock(stateFolder);
  if (!database) {
    const holder = readHolder(holderPath);
    if (!holder || !isAbandoned(holder)) throw new StartFailure(describe(holder, stateFolder));
    sendSignal(holder.pid, "SIGTERM");
    const deadline = Date.now() + HANDOVER_MS;
    while (!(database = tryLock(stateFolder))) {
      if (Date.now() > deadline) sendSignal(holder.pid, "SIGKILL");
      if (Date.now() > 2 * HANDOVER_MS + deadline)
        throw new StartFailure(describe(holder, stateFolder));
      await sleep(POLL_MS);
    }
  }
  const held = database;
  const self: Holder = {
    pid: process.pid,
    command: findProcess(process.pid)?.command ?? "",
    launcherPid: findLauncher(),
    port,
  };
  writeFileSync(holderPath, JSON.stringify(self), { mode: 0o600 });
  return {
    release() {
      rmSync(holderPath, { force: true });
      held.close();
    },
  };
}

function tryLock(stateFolder: string): DatabaseSync | undefined {
  const database = new DatabaseSync(join(stateFolder, "lock.sqlite"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    // Only this file writes it.
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

/** Whether the holder runs but its launcher has ended. */
function isAbandoned(holder: Holder): boolean {
  if (holder.launcherPid === null || isAlive(holder.launcherPid)) return false;
  return findProcess(holder.pid)?.command === holder.command;
}

/** npm is the parent or grandparent: the shell between them may have replaced itself. */
function findLauncher(): number | null {
  if (!process.env["npm_lifecycle_event"]) return null;
  const byPid = new Map(listProcesses().map((entry) => [entry.pid, entry]));
  for (let entry = byPid.get(process.ppid); entry; entry = byPid.get(entry.parentPid)) {
    if (/\bnpm\b/.test(entry.command)) return entry.pid;
  }
  return null;
}

function describe(holder: Holder | undefined, stateFolder: string): string {
  const who = holder ? ` (process ${holder.pid}, port ${holder.port})` : "";
  return `Reprise already runs on the state folder ${stateFolder}${who}: stop it, or start another one with REPRISE_STATE=.reprise-2 PORT=8788 npm start`;
}
