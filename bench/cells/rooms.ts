// Rooms of one tenant in which all agents speak at once: whether every turn ends well, how long a discussion takes, and what
// another tenant notices.
import { setTimeout as sleep } from "node:timers/promises";

import { readString } from "../../scripts/local-api.ts";
import type { Bench, Cell, Figure } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { startNeighbour } from "../hostile/start-neighbour.ts";
import { openTenant, type OwnTenant } from "../own-tenant.ts";
import { quantile } from "../statistics.ts";

/** Milliseconds that another tenant's reads may take longer, at the 95th percentile. */
const MAX_ADDED_MS = 100;
const MS_PER_SECOND = 1_000;
/** Words of each agent in a turn, which all others are told. */
const SPOKEN = "Begin.\n/words 100";

interface Load {
  readonly rooms: number;
  readonly agents: number;
  /** Discussions of each room, one after the other. */
  readonly discussions: number;
}

/** As many replies at once as a tenant may have, in rooms that are full with the person who speaks. */
const WHOLE: Load = { rooms: 13, agents: 15, discussions: 5 };
/** For a look at whether it works. */
const SMALL: Load = { rooms: 2, agents: 4, discussions: 5 };

export const rooms: Cell = {
  name: "rooms",
  title: `${WHOLE.rooms} rooms of one tenant, in each of which ${WHOLE.agents} agents speak at once and hear each other, each with a reader, and another tenant's reads beside them (quick: ${SMALL.rooms} of ${SMALL.agents})`,
  isQuick: false,
  async run(bench) {
    const { reprise, isQuick } = bench;
    const load = isQuick ? SMALL : WHOLE;
    const neighbour = await startNeighbour(reprise);
    try {
      const tenant = await openTenant(reprise);
      const paths: string[] = [];
      for (let room = 0; room < load.rooms; room += 1) paths.push(await openRoom(tenant, load));
      const seconds: number[] = [];
      let unended = 0;
      const discussAll = async (): Promise<void> => {
        const discussed = await Promise.all(
          paths.map((path) => discuss(bench, tenant, path, load)),
        );
        for (const one of discussed) {
          seconds.push(...one.seconds);
          unended += one.unended;
        }
      };
      // The first time is a warm-up: of the rooms, their sessions, and the one who reads.
      await neighbour.readBeside(discussAll);
      seconds.length = 0;
      const startedAtMs = performance.now();
      const beside = await neighbour.readBeside(discussAll);
      const tookMs = performance.now() - startedAtMs;
      const alone = await neighbour.readBeside(() => sleep(tookMs));
      return figuresOf({ seconds, unended, addedMs: Math.max(beside.p95Ms - alone.p95Ms, 0) });
    } finally {
      neighbour.stop();
    }
  },
};

/** @returns the room's path. */
async function openRoom({ api, agentId }: OwnTenant, { agents }: Load): Promise<string> {
  const names = Array.from({ length: agents }, (_, index) => `a${index}`);
  const body = {
    participants: [
      ...names.map((name) => ({ name, agent_id: agentId })),
      { name: "Mia", kind: "person" },
    ],
    turns: { order: "parallel" },
  };
  return `/v1/rooms/${readString(await api.call("POST", "/v1/rooms", body), "id")}`;
}

interface Discussed {
  readonly seconds: readonly number[];
  /** Turns that did not end as completed, or did not end. */
  readonly unended: number;
}

async function discuss(
  { reprise }: Bench,
  tenant: OwnTenant,
  path: string,
  { agents, discussions }: Load,
): Promise<Discussed> {
  const seconds: number[] = [];
  let unended = 0;
  for (let count = 0; count < discussions; count += 1) {
    const startedAtMs = performance.now();
    const said = await tenant.api.call("POST", `${path}/messages`, { content: SPOKEN });
    const stream = `${path}/events?after=${String(said.body?.["cursor"])}`;
    const { text } = await readPath(reprise, tenant, stream, "text/event-stream");
    seconds.push((performance.now() - startedAtMs) / MS_PER_SECOND);
    const ended = text.match(/"name":"room_turn_ended".*?"reason":"completed"/g) ?? [];
    unended += agents - ended.length;
  }
  return { seconds, unended };
}

interface Measured extends Discussed {
  readonly addedMs: number;
}

function figuresOf({ seconds, unended, addedMs }: Measured): readonly Figure[] {
  return [
    {
      name: "added to another tenant's reads (p95)",
      unit: "ms",
      samples: { reprise: [addedMs] },
      targets: [{ type: "value", max: MAX_ADDED_MS }],
    },
    {
      name: "turns that have not ended well",
      unit: "count",
      samples: { reprise: [unended] },
      targets: [{ type: "value", max: 0 }],
    },
    {
      name: "a discussion, from its message to its end",
      unit: "s",
      samples: { reprise: [quantile(seconds, 0.5)] },
    },
  ];
}
