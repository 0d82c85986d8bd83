// D1 usage of the hot routes. Everything else that they read and write is in the session's object.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import type { DatabaseCounts } from "../database-counts.ts";
import { replyOf } from "../sessions.ts";

/** Requests per route, so that periodic writes are included in the average. */
const TIMES = 100;
/** Some 2,000 characters. */
const REPLY = { tokens: 170, rate: 0 };
/** Milliseconds until a request's background work has ended. */
const SETTLE_MS = 1_000;

export const database: Cell = {
  name: "database",
  title: `what D1 is asked for one request, of ${TIMES} each; the key is known to the Worker`,
  isQuick: false,
  async run(bench) {
    const figures: Figure[] = [];
    for (const { name, request } of await findRoutes(bench)) {
      const before = await bench.reprise.readDatabase();
      for (let time = 0; time < TIMES; time += 1) await request();
      await sleep(SETTLE_MS);
      figures.push(...describe(name, before, await bench.reprise.readDatabase()));
    }
    return figures;
  },
};

interface HotRoute {
  readonly name: string;
  readonly request: () => Promise<unknown>;
}

async function findRoutes({ reprise }: Bench): Promise<readonly HotRoute[]> {
  const agentId = await reprise.createAgent();
  const session = await reprise.openSessionOf(agentId);
  await replyOf(session, { tokens: 10, rate: 0 });
  const ofSession = `/v1/sessions/${session.id}`;
  return [
    { name: "POST /v1/sessions", request: () => reprise.openSessionOf(agentId) },
    {
      name: "POST /v1/sessions/{id}/replies",
      request: () => replyOf(session, REPLY),
    },
    get("GET /v1/sessions/{id}", ofSession),
    get("GET /v1/sessions/{id}/events", `${ofSession}/events?after=0`),
    get("GET /v1/sessions/{id}/messages", `${ofSession}/messages`),
    get("GET /v1/sessions", "/v1/sessions"),
    get("GET /v1/agents/{id}", `/v1/agents/${agentId}`),
  ];

  function get(name: string, path: string): HotRoute {
    return { name, request: () => readPath(reprise, reprise.tenant, path) };
  }
}

function describe(route: string, before: DatabaseCounts, after: DatabaseCounts): readonly Figure[] {
  const columns = [
    ["round trips", "requests"],
    ["rows read", "rows_read"],
    ["rows written", "rows_written"],
    ["bytes more", "size_bytes"],
  ] as const;
  // A route without any D1 usage has one row that says so.
  const asked = columns.filter(
    ([name, column]) => name === "round trips" || after[column] !== before[column],
  );
  return asked.map(([name, column]) => ({
    name: `${route}: ${name}`,
    unit: "count",
    samples: { reprise: [(after[column] - before[column]) / TIMES] },
  }));
}
