// Time to create a session, sequentially.
import type { Cell } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { PeerName } from "../peers/peer.ts";
import { quantile } from "../statistics.ts";

const SESSIONS = 50;
/** Peers that create sessions; with the others a conversation begins with its first message. */
const OPENING: ReadonlySet<PeerName> = new Set(["reprise", "cf-agents", "row-per-token"]);

export const sessionCreation: Cell = {
  name: "session-creation",
  title: `${SESSIONS} sessions opened one after the other: an object each, and where there is one its row in D1`,
  isQuick: false,
  async run({ peers, rounds }) {
    const opening = peers.filter(({ name }) => OPENING.has(name));
    const results = await inTurns({ peers: opening, rounds }, async (peer) => {
      const timesMs: number[] = [];
      let rows: number | null = null;
      for (let count = 0; count < SESSIONS; count += 1) {
        const startedAtMs = performance.now();
        const session = await peer.openSession();
        timesMs.push(performance.now() - startedAtMs);
        rows = (await session.rowsWritten?.()) ?? null;
        session.close?.();
      }
      return { ms: quantile(timesMs, 0.5), rows };
    });
    return [
      { name: "a session", unit: "ms", samples: samplesOf(results, ({ ms }) => ms) },
      {
        name: "rows that its object writes",
        unit: "rows",
        samples: samplesOf(results, ({ rows }) => rows),
      },
    ];
  },
};
