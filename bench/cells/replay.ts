// A client that comes back and reads a long log from its beginning.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { openLongLog } from "../long-log.ts";
import { readProcessorMs } from "../processor-time.ts";

const EVENTS = 20_000;
const MAX_MS = 60;
/** It takes long to write, and replays only what is under way. */
const AGENTS_EVENTS = 1_000;
/** Milliseconds that the model keeps the answer open: until it was written and read again. */
const HOLD_MS = 30_000;
const POLL_MS = 500;

export const replay: Cell = {
  name: "replay",
  title: `all of a log of ${EVENTS.toLocaleString("en-US")} events (cf-agents: of ${AGENTS_EVENTS.toLocaleString("en-US")}, times ${EVENTS / AGENTS_EVENTS})`,
  isQuick: true,
  async run(bench) {
    const { timesMs, processorMs, megabytes, keptMegabytes } = await replayPlatform(bench);
    const agentsMs = bench.isQuick ? [] : await replayAgents(bench);
    return [
      {
        name: "time",
        unit: "ms",
        samples: { reprise: timesMs, ...(agentsMs.length > 0 && { "cf-agents": agentsMs }) },
        targets: [{ type: "value", max: MAX_MS }],
      },
      { name: "processor time", unit: "ms", samples: { reprise: processorMs } },
      { name: "bytes", unit: "MB", samples: { reprise: megabytes } },
      { name: "kept on disk", unit: "MB", samples: { reprise: [keptMegabytes] } },
    ];
  },
};

async function replayPlatform({ reprise, rounds }: Bench) {
  const { session, events } = await openLongLog(reprise, EVENTS);
  const path = `/v1/sessions/${session.id}/events?after=0`;
  const share = EVENTS / events;
  const timesMs: number[] = [];
  const processorMs: number[] = [];
  const megabytes: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = readProcessorMs(reprise.pid) ?? Number.NaN;
    const { ms, text } = await readPath(reprise, reprise.tenant, path, "text/event-stream");
    const after = readProcessorMs(reprise.pid) ?? Number.NaN;
    const received = text.match(/^id: /gm)?.length ?? 0;
    if (received !== events) throw new Error(`${received} of ${events} events came`);
    if (round === 0) continue;
    timesMs.push(ms * share);
    processorMs.push((after - before) * share);
    megabytes.push((text.length * share) / 1_000_000);
  }
  const { size_bytes } = await reprise.readRows(session.id);
  return { timesMs, processorMs, megabytes, keptMegabytes: (size_bytes * share) / 1_000_000 };
}

/** Empty when they are not there. */
async function replayAgents({ peers, rounds }: Bench): Promise<readonly number[]> {
  const session = await peers.find(({ name }) => name === "cf-agents")?.openSession();
  if (!session?.replay) return [];
  const reply = session.reply({ tokens: AGENTS_EVENTS, rate: 0, holdMs: HOLD_MS });
  const timesMs: number[] = [];
  for (let round = 0; round <= rounds;) {
    await sleep(POLL_MS);
    const { ms, chunks } = await session.replay();
    if (chunks < AGENTS_EVENTS) continue;
    // The first whole one warms up.
    if (round > 0) timesMs.push((ms * EVENTS) / AGENTS_EVENTS);
    round += 1;
  }
  await reply;
  session.close?.();
  return timesMs;
}
