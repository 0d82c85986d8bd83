// Reads the process table, for the local start.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  /** The program and its arguments, joined by spaces. */
  readonly command: string;
}

/** All visible processes: from /proc if there is one, else from `ps`. */
export function listProcesses(): readonly ProcessEntry[] {
  if (process.platform === "linux") return readProcFolder();
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,command="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const [, pid, parentPid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined
      ? []
      : [{ pid: Number(pid), parentPid: Number(parentPid), command }];
  });
}

export function findProcess(pid: number): ProcessEntry | undefined {
  return listProcesses().find((entry) => entry.pid === pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Sends a signal to a process that may be gone already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is gone already.
  }
}

function readProcFolder(): readonly ProcessEntry[] {
  return readdirSync("/proc").flatMap((folder) => {
    if (!/^\d+$/.test(folder)) return [];
    try {
      const command = readFileSync(`/proc/${folder}/cmdline`, "utf8").split("\0").join(" ").trim();
      const status = readFileSync(`/proc/${folder}/stat`, "utf8");
      // The program's name is in parentheses and may contain any character, so fields are counted after the last one.
      const afterName = status.slice(status.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(folder), parentPid: Number(afterName[1]), command }];
    } catch {
      return []; // The process ended between the listing and the reading.
    }
  });
}
