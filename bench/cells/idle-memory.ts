// Memory of the runtime per idle session.
import { setTimeout as sleep } from "node:timers/promises";

import type { Cell } from "../cell.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import { readMemoryBytes } from "../process-memory.ts";
import { closeSessions, openSessions, replyAll } from "../sessions.ts";

const SESSIONS = 200;
const TOKENS = 20;
/** Concurrent replies. */
const TOGETHER = 20;
const MAX_KILOBYTES = 400;
/** Milliseconds until the replies' background work has ended. */
const SETTLE_MS = 2_000;
/** Peers that hold session state between requests. */
const KEEPING: ReadonlySet<PeerName> = new Set(["reprise", "cf-agents", "row-per-token"]);

export const idleMemory: Cell = {
  name: "idle-memory",
  title: `${SESSIONS} sessions that have answered with ${TOKENS} tokens; their objects stay alive`,
  isQuick: false,
  async run({ peers, rounds }) {
    const keeping = peers.filter(({ name }) => KEEPING.has(name));
    const results = await inTurns({ peers: keeping, rounds }, measureRound);
    return [
      {
        name: "memory of a session",
        unit: "KB",
        samples: samplesOf(results, (kilobytes) => kilobytes),
        targets: [{ type: "value", max: MAX_KILOBYTES }],
      },
    ];
  },
};

/** The increase of the process's memory by further sessions, after as many for warm-up. */
async function measureRound(peer: Peer): Promise<number> {
  const before = readMemoryBytes(peer.pid);
  const sessions = await openSessions(peer, SESSIONS);
  for (let first = 0; first < SESSIONS; first += TOGETHER) {
    await replyAll(sessions.slice(first, first + TOGETHER), { tokens: TOKENS, rate: 0 });
  }
  closeSessions(sessions);
  await sleep(SETTLE_MS);
  return (readMemoryBytes(peer.pid) - before) / SESSIONS / 1_000;
}
