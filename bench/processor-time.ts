// Processor time of the runtime's process. Read from /proc on Linux; unknown elsewhere.
import { readFileSync } from "node:fs";

/** Linux counts in ticks of 10 ms on all machines. */
const TICK_MS = 10;

/** User plus system time of a process in milliseconds; null where it cannot be read. */
export function readProcessorMs(pid: number): number | null {
  const fields = readStatFields(pid);
  if (!fields) return null;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Processor seconds per 100,000 tokens, from two readings and the tokens between them. */
export function secondsFor100kTokens(
  beforeMs: number | null,
  afterMs: number | null,
  tokens: number,
): number | null {
  if (beforeMs === null || afterMs === null) return null;
  return ((afterMs - beforeMs) / 1_000) * (100_000 / tokens);
}

/** The fields after the process's name, which may contain spaces. */
function readStatFields(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
