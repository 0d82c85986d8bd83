// Time from a request to the first event of its stream, sequentially.
import type { Cell } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import { replyOf } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const REPLIES = 20;
const MAX_OVER_FLOOR_MS = 10;

export const firstEvent: Cell = {
  name: "first-event",
  title: `from the request to the first event, ${REPLIES} replies of one token, one after the other`,
  isQuick: true,
  async run({ peers, rounds }) {
    const results = await inTurns({ peers, rounds }, async (peer) => {
      const eventsMs: number[] = [];
      const tokensMs: number[] = [];
      for (let count = 0; count < REPLIES; count += 1) {
        const session = await peer.openSession();
        const reader = await replyOf(session, { tokens: 1, rate: 0 });
        session.close?.();
        eventsMs.push(reader.firstEventMs);
        tokensMs.push(reader.firstTokenMs);
      }
      return { eventMs: quantile(eventsMs, 0.5), tokenMs: quantile(tokensMs, 0.5) };
    });
    return [
      {
        name: "to the first event",
        unit: "ms",
        samples: samplesOf(results, ({ eventMs }) => eventMs),
        targets: [{ type: "over", peer: "raw", max: MAX_OVER_FLOOR_MS }],
      },
      {
        name: "to the first token",
        unit: "ms",
        samples: samplesOf(results, ({ tokenMs }) => tokenMs),
      },
    ];
  },
};
