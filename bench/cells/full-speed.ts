// A model at full speed: throughput in tokens, and processor time per token.
import type { Bench, Cell, Figure } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { closeSessions, openSessions, replyAll } from "../sessions.ts";

const MIN_SHARE_ALONE = 0.45;
const MIN_SHARE_TOGETHER = 0.2;
const MIN_MULTIPLE_ALONE = 100;
const MIN_MULTIPLE_TOGETHER = 50;
const MAX_PROCESSOR_SECONDS = 1;
/**
 * Slow peers, which would take minutes for as many tokens as the others. In a quick run they get fewer tokens, so that
 * the fixed cost of a reply weighs more, and at most 32 streams: a quick ratio looks too good and must not be cited.
 */
const SLOW: ReadonlySet<PeerName> = new Set(["cf-agents", "row-per-token"]);
/** Milliseconds after which a peer gets no further round: three of `cf-agents`, 25 s each. */
const PATIENCE_MS = 90_000;

export const fullSpeed1: Cell = {
  name: "full-speed-1",
  title: "one stream at full speed, replies of 10,000 tokens",
  isQuick: true,
  async run(bench) {
    const [speed, processor] = await measure(bench, {
      sessions: 1,
      tokens: 10_000,
      slowTokens: bench.isQuick ? 2_000 : 10_000,
    });
    return [
      {
        ...speed,
        targets: [
          { type: "ratio", to: "raw", min: MIN_SHARE_ALONE },
          { type: "ratio", to: "cf-agents", min: MIN_MULTIPLE_ALONE },
        ],
      },
      { ...processor, targets: [{ type: "value", max: MAX_PROCESSOR_SECONDS }] },
    ];
  },
};

export const fullSpeed32: Cell = {
  name: "full-speed-32",
  title: "32 streams at full speed, replies of 2,000 tokens",
  isQuick: true,
  async run(bench) {
    const [speed, processor] = await measure(bench, {
      sessions: 32,
      tokens: 2_000,
      slowTokens: bench.isQuick ? 100 : 2_000,
    });
    return [
      {
        ...speed,
        targets: [
          { type: "ratio", to: "raw", min: MIN_SHARE_TOGETHER },
          { type: "ratio", to: "cf-agents", min: MIN_MULTIPLE_TOGETHER },
        ],
      },
      { ...processor, targets: [{ type: "value", max: MAX_PROCESSOR_SECONDS }] },
    ];
  },
};

interface Load {
  readonly sessions: number;
  /** Tokens of each reply. */
  readonly tokens: number;
  readonly slowTokens: number;
}

interface Round {
  readonly tokensPerSecond: number;
  readonly processorSeconds: number | null;
}

async function measure({ peers, rounds }: Bench, load: Load): Promise<readonly [Figure, Figure]> {
  const results = await inTurns({ peers, rounds, patienceMs: PATIENCE_MS }, (peer) =>
    measureRound(peer, load),
  );
  return [
    {
      name: "tokens in a second",
      unit: "tokens/s",
      samples: samplesOf(results, ({ tokensPerSecond }) => tokensPerSecond),
    },
    {
      name: "processor time for 100,000 tokens",
      unit: "s",
      samples: samplesOf(results, ({ processorSeconds }) => processorSeconds),
    },
  ];
}

/** Minimum milliseconds of a round: processor time is counted in steps of 10. */
const ENOUGH_MS = 1_000;

/** Every reply is the first of its session, to exclude the cost of a history. */
async function measureRound(peer: Peer, load: Load): Promise<Round> {
  const tokens = SLOW.has(peer.name) ? load.slowTokens : load.tokens;
  let lastedMs = 0;
  let spentMs = 0;
  let total = 0;
  while (lastedMs < ENOUGH_MS) {
    const sessions = await openSessions(peer, load.sessions);
    const before = readProcessorMs(peer.pid) ?? Number.NaN;
    const startedAtMs = performance.now();
    await replyAll(sessions, { tokens, rate: 0 });
    lastedMs += performance.now() - startedAtMs;
    spentMs += (readProcessorMs(peer.pid) ?? Number.NaN) - before;
    total += load.sessions * tokens;
    closeSessions(sessions);
  }
  return {
    tokensPerSecond: (total / lastedMs) * 1_000,
    processorSeconds: Number.isNaN(spentMs) ? null : secondsFor100kTokens(0, spentMs, total),
  };
}
