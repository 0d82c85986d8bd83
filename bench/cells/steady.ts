// Sessions at reading speed: latency, processor time and written rows per token.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { closeSessions, countRows, openSessions, replyAll } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const TOKENS_PER_SECOND = 50;
const QUICK_TOKENS = 100;
/** Milliseconds until background work at a reply's end is done. */
const SETTLE_MS = 300;
const MAX_RATIO = 3;
const MAX_LATE_MS = 5;
const MAX_FIRST_MS = 3;
const MAX_PROCESSOR_RATIO = 3.5;
const MAX_ROWS = 100;

/** Few sessions: latency without contention. */
export const steady4: Cell = {
  name: "steady-4",
  title: `4 sessions at ${TOKENS_PER_SECOND} tokens/s, replies of 1,000 tokens`,
  isQuick: true,
  async run(bench) {
    const results = await measureSteady(bench, { sessions: 4, tokens: 1_000 });
    return [
      { ...p50(results), targets: [{ type: "ratio", to: "raw", max: MAX_RATIO }] },
      { ...p99(results), targets: [{ type: "value", max: MAX_LATE_MS }] },
      { ...first(results), targets: [{ type: "over", peer: "raw", max: MAX_FIRST_MS }] },
      processor(results),
      // No target in a quick run: the rows of a reply's start and end are spread over few tokens.
      { ...ownRows(results), targets: bench.isQuick ? [] : [{ type: "value", max: MAX_ROWS }] },
      sharedRows(results),
    ];
  },
};

/** Many sessions on few cores: latency under contention. */
export const steady32: Cell = {
  name: "steady-32",
  title: `32 sessions at ${TOKENS_PER_SECOND} tokens/s, replies of 500 tokens`,
  isQuick: true,
  async run(bench) {
    const results = await measureSteady(bench, { sessions: 32, tokens: 500 });
    return [
      p50(results),
      { ...p99(results), targets: [{ type: "value", max: MAX_LATE_MS }] },
      first(results),
      {
        ...processor(results),
        targets: [{ type: "ratio", to: "raw", max: MAX_PROCESSOR_RATIO }],
      },
    ];
  },
};

interface Round {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstMs: number;
  /** Per 100,000 tokens. */
  readonly processorSeconds: number | null;
  /** Rows per 1,000 tokens, in the session's own storage and in the shared database. */
  readonly ownRows: number | null;
  readonly sharedRows: number | null;
}

type Rounds = ReadonlyMap<PeerName, readonly Round[]>;

interface Load {
  readonly sessions: number;
  readonly tokens: number;
}

function measureSteady({ peers, rounds, isQuick }: Bench, load: Load): Promise<Rounds> {
  const { sessions, tokens } = isQuick ? { ...load, tokens: QUICK_TOKENS } : load;
  return inTurns({ peers, rounds }, (peer) => measureRound(peer, { sessions, tokens }));
}

function p50(rounds: Rounds): Figure {
  return {
    name: "added per token, p50",
    unit: "ms",
    samples: samplesOf(rounds, ({ p50Ms }) => p50Ms),
  };
}

function p99(rounds: Rounds): Figure {
  return {
    name: "added per token, p99",
    unit: "ms",
    samples: samplesOf(rounds, ({ p99Ms }) => p99Ms),
  };
}

function first(rounds: Rounds): Figure {
  return {
    name: "added to the first token",
    unit: "ms",
    samples: samplesOf(rounds, ({ firstMs }) => firstMs),
  };
}

function processor(rounds: Rounds): Figure {
  return {
    name: "processor time for 100,000 tokens",
    unit: "s",
    samples: samplesOf(rounds, ({ processorSeconds }) => processorSeconds),
  };
}

function ownRows(rounds: Rounds): Figure {
  return {
    name: "rows written for 1,000 tokens",
    unit: "rows",
    samples: samplesOf(rounds, (round) => round.ownRows),
  };
}

function sharedRows(rounds: Rounds): Figure {
  return {
    name: "and in D1",
    unit: "rows",
    samples: samplesOf(rounds, (round) => round.sharedRows),
  };
}

async function measureRound(peer: Peer, { sessions: count, tokens }: Load): Promise<Round> {
  const sessions = await openSessions(peer, count);
  const rowsBefore = await countRows(peer, sessions);
  const before = readProcessorMs(peer.pid);
  const readers = await replyAll(sessions, { tokens, rate: TOKENS_PER_SECOND });
  const after = readProcessorMs(peer.pid);
  await sleep(SETTLE_MS);
  const rowsAfter = await countRows(peer, sessions);
  closeSessions(sessions);
  const total = count * tokens;
  // The first token of each stream is measured separately.
  const agesMs = readers.flatMap((reader) => reader.agesMs.slice(1));
  const firstMs = readers.map((reader) => reader.agesMs[0] ?? Number.NaN);
  return {
    p50Ms: quantile(agesMs, 0.5),
    p99Ms: quantile(agesMs, 0.99),
    firstMs: quantile(firstMs, 0.5),
    processorSeconds: secondsFor100kTokens(before, after, total),
    ownRows: perThousand(rowsBefore.own, rowsAfter.own, total),
    sharedRows: perThousand(rowsBefore.shared, rowsAfter.shared, total),
  };
}

function perThousand(before: number | null, after: number | null, tokens: number): number | null {
  return before === null || after === null ? null : ((after - before) / tokens) * 1_000;
}
