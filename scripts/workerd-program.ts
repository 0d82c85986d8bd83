// Runs workerd through a link in the state folder. Its path appears in the process table, so that a start finds exactly
// the processes that a killed platform left on this folder.
import { rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";

import { listProcesses, sendSignal } from "./processes.ts";

const POLL_MS = 20;

/** Links the program into the folder. @returns the link's path, for miniflare. */
export function linkWorkerd(stateFolder: string): string {
  const requireFromMiniflare = createRequire(fileURLToPath(import.meta.resolve("miniflare")));
  const { default: program } = requireFromMiniflare("workerd") as { default: string };
  const link = linkPath(stateFolder);
  rmSync(link, { force: true });
  symlinkSync(program, link);
  return link;
}

/**
 * Ends the processes that run through the folder's link. The caller must hold the folder's lock.
 * @returns Whether any were found: their ports may be in use for a moment longer.
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
