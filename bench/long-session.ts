// `npm run bench:long-session`: one session of 2,000 messages and 100,000 events, made through the API. Prints how long
// reading it takes and what the runtime's memory does meanwhile.
import { execFileSync } from "node:child_process";

import { listProcesses } from "../scripts/processes.ts";
import { startRuntime, type Runtime } from "./runtime.ts";
import { openSessionOf } from "./scripted-session.ts";

const REPLIES = 1_000;
/** Data deltas are never merged: each line is three events, and four more frame a reply with its message. */
const DATA_BLOCKS = 32;
const SCRIPT = Array.from({ length: DATA_BLOCKS }, () => "/data text/plain aGVsbG8=").join("\n");

interface Row {
  readonly what: string;
  readonly ms: number;
  readonly memoryMegabytes: number;
}

async function measure(runtime: Runtime): Promise<readonly Row[]> {
  const session = await openSessionOf(runtime);
  const rows: Row[] = [];
  rows.push(row("empty", 0));
  const startedAt = performance.now();
  let cursor = 0;
  for (let index = 0; index < REPLIES; index += 1) ({ cursor } = await session.reply(SCRIPT));
  rows.push(
    row(`${2 * REPLIES} messages, ${cursor} events written`, performance.now() - startedAt),
  );

  await timed(`read the session's state`, () => session.get(""));
  await timed("list the newest 20 messages", () => session.get("/messages?limit=20"));
  await timed("replay the last 100 events", () => session.stream(cursor - 100));
  await timed("take a reply", () => session.reply("/say Still here."));
  await timed("replay all of it", () => session.stream(0));
  await timed("replay the last 100 events again", () => session.stream(cursor - 100));
  return rows;

  async function timed(what: string, action: () => Promise<unknown>): Promise<void> {
    const before = performance.now();
    await action();
    rows.push(row(what, performance.now() - before));
  }
}

function row(what: string, ms: number): Row {
  return { what, ms, memoryMegabytes: runtimeMemoryMegabytes() };
}

/** Resident memory of this process's workerd. */
function runtimeMemoryMegabytes(): number {
  const workerd = listProcesses().filter(
    ({ parentPid, command }) => parentPid === process.pid && command.includes("workerd"),
  );
  const kilobytes = workerd.map(({ pid }) =>
    Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })),
  );
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1_024;
}

const runtime = await startRuntime();
try {
  for (const { what, ms, memoryMegabytes } of await measure(runtime)) {
    console.log(
      `${what.padEnd(46)} ${ms.toFixed(1).padStart(10)} ms ${memoryMegabytes.toFixed(0).padStart(6)} MB`,
    );
  }
} finally {
  await runtime.stop();
}
