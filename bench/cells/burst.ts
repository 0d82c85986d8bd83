// New conversations that begin almost at once: what their start costs, and what it does to those beside them.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure, Target } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { Peer, PeerName, PeerSession } from "../peers/peer.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { closeSessions, replyOf } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const TOKENS = 150;
const TOKENS_PER_SECOND = 50;
const MAX_FIRST_MS = 10;
const MAX_LATE_MS = 15;

interface Load {
  readonly sessions: number;
  /** Milliseconds in which all of them begin. */
  readonly withinMs: number;
}

const FEW: Load = { sessions: 4, withinMs: 30 };
const MANY: Load = { sessions: 32, withinMs: 250 };

/** Few new sessions: how long a person waits for the first sign of an answer. */
export const burst4: Cell = {
  name: "burst-4",
  title: titleOf(FEW, "opened and asked"),
  isQuick: false,
  run: (bench) => measureBurst(bench, FEW, (peer) => peer.openSession()),
};

/** Many new sessions, as after a push message. */
export const burst32: Cell = {
  name: "burst-32",
  title: titleOf(MANY, "opened and asked"),
  isQuick: false,
  run: (bench) => measureBurst(bench, MANY, (peer) => peer.openSession(), true),
};

/** The same for AG-UI, whose first run of a thread opens its session. */
export const burstAgUi: Cell = {
  name: "burst-ag-ui",
  title: titleOf(MANY, "asked by their first AG-UI run"),
  isQuick: false,
  run: ({ reprise, ...bench }) => {
    const peers = bench.peers.filter(({ name }) => name === "raw" || name === "reprise");
    return measureBurst({ ...bench, peers }, MANY, (peer) =>
      peer.name === "reprise" ? Promise.resolve(reprise.openThread()) : peer.openSession(),
    );
  },
};

interface Round {
  readonly firstEventMs: number;
  readonly firstTokenMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Per 100,000 tokens. */
  readonly processorSeconds: number | null;
}

async function measureBurst(
  { peers, rounds }: Pick<Bench, "peers" | "rounds">,
  load: Load,
  open: (peer: Peer) => Promise<PeerSession>,
  hasTargets = false,
): Promise<readonly Figure[]> {
  const results = await inTurns({ peers, rounds }, (peer) =>
    measureRound(peer, load, () => open(peer)),
  );
  const targets = (...wanted: readonly Target[]) => hasTargets && { targets: wanted };
  return [
    figure(results, "from the request to the first event", ({ firstEventMs }) => firstEventMs),
    {
      ...figure(results, "added to the first token", ({ firstTokenMs }) => firstTokenMs),
      ...targets({ type: "over", peer: "raw", max: MAX_FIRST_MS }),
    },
    figure(results, "added per token, p50", ({ p50Ms }) => p50Ms),
    {
      ...figure(results, "added per token, p99", ({ p99Ms }) => p99Ms),
      ...targets({ type: "value", max: MAX_LATE_MS }),
    },
    {
      ...figure(results, "processor time for 100,000 tokens", (round) => round.processorSeconds),
      unit: "s",
    },
  ];
}

function figure(
  results: ReadonlyMap<PeerName, readonly Round[]>,
  name: string,
  pick: (round: Round) => number | null,
): Figure {
  return { name, unit: "ms", samples: samplesOf(results, pick) };
}

/** Processor time includes the opening of the sessions. */
async function measureRound(
  { pid }: Peer,
  { sessions: count, withinMs }: Load,
  open: () => Promise<PeerSession>,
): Promise<Round> {
  const opened: PeerSession[] = [];
  const before = readProcessorMs(pid);
  const readers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep((index * withinMs) / count);
      const session = await open();
      opened.push(session);
      return replyOf(session, { tokens: TOKENS, rate: TOKENS_PER_SECOND });
    }),
  );
  const after = readProcessorMs(pid);
  closeSessions(opened);
  // The first token of each stream is a figure of its own.
  const agesMs = readers.flatMap((reader) => reader.agesMs.slice(1));
  return {
    firstEventMs: quantile(
      readers.map((reader) => reader.firstEventMs),
      0.5,
    ),
    firstTokenMs: quantile(
      readers.map(({ agesMs: [first = Number.NaN] }) => first),
      0.5,
    ),
    p50Ms: quantile(agesMs, 0.5),
    p99Ms: quantile(agesMs, 0.99),
    processorSeconds: secondsFor100kTokens(before, after, count * TOKENS),
  };
}

function titleOf({ sessions, withinMs }: Load, what: string): string {
  return `${sessions} new sessions ${what} within ${withinMs} ms, replies of ${TOKENS} tokens at ${TOKENS_PER_SECOND} tokens/s`;
}
