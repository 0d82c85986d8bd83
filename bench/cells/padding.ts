// Processor time per token when the model's events differ in more than the token, so that every event must be parsed.
import type { Bench, Cell, Figure } from "../cell.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { closeSessions, openSessions, replyAll } from "../sessions.ts";

const STREAMS = ["plain", "padded"] as const;
const TOKENS = 10_000;
/** Sequential replies per round: processor time is counted in steps of 10 ms. */
const REPLIES = 20;

type Stream = (typeof STREAMS)[number];

interface Round {
  readonly tokensPerSecond: number;
  readonly processorSeconds: number | null;
}

export const padding: Cell = {
  name: "padding",
  title: `one stream at full speed, replies of ${TOKENS.toLocaleString("en-US")} tokens, whose events are alike, or padded as some providers do`,
  isQuick: false,
  async run(bench) {
    const rounds = new Map<Stream, Round[]>(STREAMS.map((stream) => [stream, []]));
    // Interleaved; the first round is a warm-up.
    for (let round = 0; round <= bench.rounds; round += 1) {
      for (const [stream, measured] of rounds) {
        const result = await measureRound(bench, stream === "padded");
        if (round > 0) measured.push(result);
      }
    }
    return [...rounds].flatMap(([stream, measured]) => describe(stream, measured));
  },
};

async function measureRound({ reprise }: Bench, isPadded: boolean): Promise<Round> {
  let lastedMs = 0;
  let spentMs = 0;
  for (let reply = 0; reply < REPLIES; reply += 1) {
    const sessions = await openSessions(reprise, 1);
    const before = readProcessorMs(reprise.pid) ?? Number.NaN;
    const startedAtMs = performance.now();
    await replyAll(sessions, { tokens: TOKENS, rate: 0, isPadded });
    lastedMs += performance.now() - startedAtMs;
    spentMs += (readProcessorMs(reprise.pid) ?? Number.NaN) - before;
    closeSessions(sessions);
  }
  const total = REPLIES * TOKENS;
  return {
    tokensPerSecond: (total / lastedMs) * 1_000,
    processorSeconds: Number.isNaN(spentMs) ? null : secondsFor100kTokens(0, spentMs, total),
  };
}

function describe(stream: Stream, rounds: readonly Round[]): readonly Figure[] {
  return [
    {
      name: `${stream}: tokens in a second`,
      unit: "tokens/s",
      samples: { reprise: rounds.map(({ tokensPerSecond }) => tokensPerSecond) },
    },
    {
      name: `${stream}: processor time for 100,000 tokens`,
      unit: "s",
      samples: {
        reprise: rounds.flatMap(({ processorSeconds }) => processorSeconds ?? []),
      },
    },
  ];
}
