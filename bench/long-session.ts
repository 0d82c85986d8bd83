// `npm run bench:long-session`: one session of 2,000 messages and 100,000 events, made through the API. Prints how long
// reading it takes and what the runtime's memory does meanwhile.
import { startModel } from "./model/start-model.ts";
import { startReprise, type Reprise } from "./peers/reprise.ts";
import { readMemoryBytes } from "./process-memory.ts";
import { openScriptedSession } from "./scripted-session.ts";

const REPLIES = 1_000;
/** Data deltas are never merged: each line is three events, and four more frame a reply with its message. */
const DATA_BLOCKS = 32;
const SCRIPT = Array.from({ length: DATA_BLOCKS }, () => "/data text/plain aGVsbG8=").join("\n");

interface Row {
  readonly what: string;
  readonly ms: number;
  readonly memoryMegabytes: number;
}

async function measure(reprise: Reprise): Promise<readonly Row[]> {
  const session = await openScriptedSession(reprise);
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
  return { what, ms, memoryMegabytes: readMemoryBytes(reprise.pid) / 1_000_000 };
}

const model = await startModel();
const reprise = await startReprise(model);
try {
  for (const { what, ms, memoryMegabytes } of await measure(reprise)) {
    console.log(
      `${what.padEnd(46)} ${ms.toFixed(1).padStart(10)} ms ${memoryMegabytes.toFixed(0).padStart(6)} MB`,
    );
  }
} finally {
  await reprise.stop();
  model.stop();
}
