// The resident memory of a process.
import { execFileSync } from "node:child_process";

export function readMemoryBytes(pid: number): number {
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) * 1_024;
}
