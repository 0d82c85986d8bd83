// The resident memory of a process.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

export function readMemoryBytes(pid: number): number {
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) * 1_024;
}

/** The bytes by which the memory of a process grows at most while an action runs. Linux only. */
export async function memoryPeakOf(pid: number, action: () => Promise<unknown>): Promise<number> {
  // Makes the present size the peak.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = readPeakBytes(pid);
  await action();
  return readPeakBytes(pid) - before;
}

function readPeakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}
