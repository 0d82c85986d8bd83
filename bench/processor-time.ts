// The processor time of the runtime, which is a process of its own. Linux tells it in a file; elsewhere it is unknown.
import { readFileSync } from "node:fs";

/** Linux counts in ticks of a hundredth of a second, whatever the machine. */
const TICK_MS = 10;

/** Milliseconds that a process has used so far, in user and system mode; null where that cannot be read. */
export function readProcessorMs(pid: number): number | null {
  const fields = readStatFields(pid);
  if (!fields) return null;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** What 100,000 tokens cost, from two readings between which this many were carried. */
export function secondsFor100kTokens(
  beforeMs: number | null,
  afterMs: number | null,
  tokens: number,
): number | null {
  if (beforeMs === null || afterMs === null) return null;
  return ((afterMs - beforeMs) / 1_000) * (100_000 / tokens);
}

/** The fields behind the process's name, which may hold spaces itself. */
function readStatFields(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
