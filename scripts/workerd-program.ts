// A state folder has its own name for the workerd program. The name shows in the process table, so a start
// finds exactly the processes that a killed platform left on its folder, and no others.
import { rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";

import { listProcesses, sendSignal } from "./processes.ts";

const POLL_MS = 20;

/** Links the program into the folder. @returns the link's path: what miniflare is to run. */
export function linkWorkerd(stateFolder: string): string {
  const requireFromMiniflare = createRequire(fileURLToPath(import.meta.resolve("miniflare")));
  const { default: program } = requireFromMiniflare("workerd") as { default: string };
  const link = linkPath(stateFolder);
  rmSync(link, { force: true });
  symlinkSync(program, link);
  return link;
}

/**
 * Ends what runs under the folder's name. Only for who holds the folder's lock.
 * @returns Whether there was something: a process that has lost its name may hold its port for a moment longer.
 */
export async function endOrphans(stateFolder: string): Promise<boolean> {
  const prefix = `${linkPath(stateFolder)} serve `;
  for (let hasEnded = false; ; hasEnded = true) {
    const orphans = listProcesses().filter((entry) => entry.command.startsWith(prefix));
    if (orphans.length === 0) return hasEnded;
    for (const orphan of orphans) sendSignal(orphan.pid, "SIGKILL");
    await sleep(POLL_MS);
  }
}

function linkPath(stateFolder: string): string {
  return join(stateFolder, "workerd");
}
