// Agents of other systems that flood or hang, as tools of one tenant: what another tenant notices of them.
import { setTimeout as sleep } from "node:timers/promises";

import type { Cell } from "../cell.ts";
import { openAttackingTenant, type AttackingTenant } from "../hostile/attacking-tenant.ts";
import { startHostileRemote, type RemoteWay } from "../hostile/hostile-remote.ts";
import { startNeighbour } from "../hostile/start-neighbour.ts";

/** Milliseconds that another tenant's reads may take longer, at the 95th percentile: not noticeable for a person. */
const MAX_ADDED_MS = 100;
/** Replies at once that wait for a remote each. */
const FLOODED = { quick: 4, whole: 16 };
const HANGING = { quick: 16, whole: 64 };
/** Milliseconds for which they hang. A flood ends by itself, at the bytes that are taken for one message. */
const HANG_MS = 5_000;

interface Load {
  readonly way: RemoteWay;
  readonly name: string;
  readonly counts: { readonly quick: number; readonly whole: number };
}

const LOADS: readonly Load[] = [
  { way: "flood", name: "remotes that flood", counts: FLOODED },
  { way: "hang", name: "remotes that hang", counts: HANGING },
];

export const a2a: Cell = {
  name: "a2a",
  title: `another tenant's reads beside ${FLOODED.whole} replies whose agents of other systems flood, and ${HANGING.whole} whose hang (quick: ${FLOODED.quick} and ${HANGING.quick}): by how much the 95th percentile (p95) is longer than in as much time without them`,
  isQuick: false,
  async run({ reprise, rounds, isQuick }) {
    const neighbour = await startNeighbour(reprise);
    const remote = await startHostileRemote();
    try {
      const attacker = await openAttackingTenant(reprise);
      const added = new Map<RemoteWay, number[]>(LOADS.map(({ way }) => [way, []]));
      for (let round = 0; round <= rounds; round += 1) {
        for (const { way, counts } of LOADS) {
          const count = isQuick ? counts.quick : counts.whole;
          const attack = await prepare(attacker, { way, count, card: remote.cardOf(way) });
          const startedAtMs = performance.now();
          const beside = await neighbour.readBeside(attack);
          const tookMs = performance.now() - startedAtMs;
          const alone = await neighbour.readBeside(() => sleep(tookMs));
          // The first round is a warm-up.
          if (round > 0) added.get(way)?.push(Math.max(beside.p95Ms - alone.p95Ms, 0));
        }
      }
      return LOADS.map(({ way, name }) => ({
        name: `${name} (p95)`,
        unit: "ms" as const,
        samples: { reprise: added.get(way) ?? [] },
        targets: [{ type: "value" as const, max: MAX_ADDED_MS }],
      }));
    } finally {
      remote.stop();
      neighbour.stop();
    }
  },
};

/** Replies that call the remote once each. @returns what begins them, until all are over. */
async function prepare(
  attacker: AttackingTenant,
  { way, count, card }: { readonly way: RemoteWay; readonly count: number; readonly card: object },
): Promise<() => Promise<void>> {
  const tool = { type: "a2a", name: "ask", card: { inline: card }, read_only: true };
  const sessions: string[] = [];
  for (let made = 0; made < count; made += 1) {
    sessions.push(await attacker.openSession({ tools: [tool] }));
  }
  const input = '/call ask {"message":"Go"}\n/say done';
  const all = (path: string, body: object): Promise<readonly number[]> =>
    Promise.all(
      sessions.map((session) => attacker.send("POST", `${session}${path}`, JSON.stringify(body))),
    );
  return async () => {
    const statuses = await all("/replies", { input, background: way === "hang" });
    if (statuses.some((status) => status >= 400)) throw new Error(`refused: ${statuses.join()}`);
    if (way === "flood") return;
    await sleep(HANG_MS);
    await all("/interrupt", {});
  };
}
