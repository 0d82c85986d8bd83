// Many readers of one session: latency and processor time per token and reader.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell } from "../cell.ts";
import { readStream } from "../clients/read-stream.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { quantile } from "../statistics.ts";

const WATCHERS = 100;
const TOKENS = 250;
const TOKENS_PER_SECOND = 50;
/** Milliseconds before the first token: all readers are connected by then. */
const DELAY_MS = 2_000;
/** Milliseconds until the reply has begun and can be read. */
const BEGUN_MS = 500;

export const subscribers: Cell = {
  name: "subscribers",
  title: `one session at ${TOKENS_PER_SECOND} tokens/s, read by one and by ${WATCHERS} more`,
  isQuick: false,
  async run(bench) {
    const alone: Round[] = [];
    const crowded: Round[] = [];
    for (let round = 0; round <= bench.rounds; round += 1) {
      const ofOne = await measureRound(bench, 0);
      const ofMany = await measureRound(bench, WATCHERS);
      if (round === 0) continue;
      alone.push(ofOne);
      crowded.push(ofMany);
    }
    return [...describe("alone", alone), ...describe(`with ${WATCHERS} more`, crowded)];
  },
};

interface Round {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Per 100,000 received tokens. */
  readonly processorSeconds: number;
}

async function measureRound({ reprise }: Bench, watchers: number): Promise<Round> {
  const session = await reprise.openSession();
  const url = `${reprise.baseUrl}/v1/sessions/${session.id}/events?after=0`;
  const headers = { authorization: `Bearer ${reprise.tenant.key}`, accept: "text/event-stream" };
  const script = { tokens: TOKENS, rate: TOKENS_PER_SECOND, delayMs: DELAY_MS };
  const reply = session.reply(script);
  await sleep(BEGUN_MS);
  const watching = Array.from({ length: watchers }, () =>
    readStream({ url, method: "GET", headers }),
  );
  await sleep(DELAY_MS - 2 * BEGUN_MS);
  const before = readProcessorMs(reprise.pid);
  const readers = await Promise.all([reply, ...watching]);
  const after = readProcessorMs(reprise.pid);
  for (const { agesMs } of readers) {
    if (agesMs.length !== TOKENS) throw new Error(`${agesMs.length} of ${TOKENS} tokens came`);
  }
  const agesMs = readers.flatMap((reader) => reader.agesMs);
  return {
    p50Ms: quantile(agesMs, 0.5),
    p99Ms: quantile(agesMs, 0.99),
    processorSeconds: secondsFor100kTokens(before, after, agesMs.length) ?? Number.NaN,
  };
}

function describe(who: string, rounds: readonly Round[]) {
  return [
    {
      name: `added per token, p50, ${who}`,
      unit: "ms",
      samples: { reprise: rounds.map(({ p50Ms }) => p50Ms) },
    },
    {
      name: `added per token, p99, ${who}`,
      unit: "ms",
      samples: { reprise: rounds.map(({ p99Ms }) => p99Ms) },
    },
    {
      name: `processor time for 100,000 tokens received, ${who}`,
      unit: "s",
      samples: { reprise: rounds.map(({ processorSeconds }) => processorSeconds) },
    },
  ] as const;
}
