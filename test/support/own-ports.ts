// Ports for the servers that the snippets of a page start, so that two runs on one machine do not share them.
import { requireFreePort } from "../../scripts/port-check.ts";
import type { Snippet } from "./read-snippets.ts";

/** Outside of what systems give to connections, any of which would take a port that was free a moment ago. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;
/** Processes with neighbouring ids, such as those of one suite, start this many ports from each other. */
const PORTS_OF_A_PROCESS = 16;

let next = process.pid * PORTS_OF_A_PROCESS;

/** @returns the snippets, each port that one of them listens on, other than 0, replaced by a free one in all of them. */
export async function withOwnPorts(snippets: readonly Snippet[]): Promise<readonly Snippet[]> {
  const own = new Map<string, string>();
  for (const { code } of snippets) {
    for (const [, port = ""] of code.matchAll(/\.listen\(([1-9]\d*)/g)) {
      if (!own.has(port)) own.set(port, String(await takeFreePort()));
    }
  }
  if (own.size === 0) return snippets;
  const named = new RegExp(`\\b(?:${[...own.keys()].join("|")})\\b`, "g");
  return snippets.map((snippet) => ({
    ...snippet,
    code: snippet.code.replace(named, (port) => own.get(port) ?? port),
  }));
}

async function takeFreePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + (next % PORTS);
    next += 1;
    try {
      await requireFreePort(port);
      return port;
    } catch {
      // Another program has it.
    }
  }
  throw new Error("No port is free.");
}
