// A reconnecting client that reads a long log from its start.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { openLongLog } from "../long-log.ts";
import { readProcessorMs } from "../processor-time.ts";
import { replyOf } from "../sessions.ts";

const EVENTS = 20_000;
const MAX_MS = 60;
/** Milliseconds that the model holds the answer open per replay, and until it is stored. */
const HOLD_MS = 8_000;
/** Long, because reading an unfinished answer delays its storage. */
const POLL_MS = 5_000;

export const replay: Cell = {
  name: "replay",
  title: `all of a log of ${EVENTS.toLocaleString("en-US")} events (cf-agents: of an answer that is under way, as it keeps the chunks of no other)`,
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

/** Empty when the peer is not installed. */
async function replayAgents({ peers, rounds }: Bench): Promise<readonly number[]> {
  const session = await peers.find(({ name }) => name === "cf-agents")?.openSession();
  if (!session?.replay) return [];
  const holdMs = HOLD_MS * (rounds + 2);
  const reply = replyOf(session, { tokens: EVENTS, rate: 0, holdMs });
  const timesMs: number[] = [];
  for (let round = 0; round <= rounds;) {
    if (round === 0) await sleep(POLL_MS);
    const { ms, tokens } = await session.replay();
    if (tokens < EVENTS) continue;
    // The first complete one is a warm-up.
    if (round > 0) timesMs.push(ms);
    round += 1;
  }
  await reply;
  session.close?.();
  return timesMs;
}
