import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { SessionListRequest } from "../../../storage/sessions/list-sessions.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import type { Listed } from "./listed-sessions.ts";
import { listInDatabase, momentAt, sessionId } from "./listed-sessions.ts";
import { type Asked, notedDatabase } from "../requests/noted-database.ts";
import { BROAD } from "../../support/breadth.ts";

/** SQLite's way to a page of one query, and the number of rows that it reads for that. */
async function costOf(tenantId: string, request: SessionListRequest) {
  const [cost, ...others] = await costsOf(tenantId, request);
  expect(others).toEqual([]);
  return cost!;
}

async function costsOf(tenantId: string, request: SessionListRequest) {
  const asked: Asked[] = [];
  await tenantStorage(notedDatabase(asked), tenantId).sessions.list(request);
  return Promise.all(asked.map(measure));
}

async function measure({ query, values }: Asked) {
  const { meta } = await env.DB.prepare(query)
    .bind(...values)
    .all();
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  return { plan: plan.results.map(({ detail }) => detail), rowsRead: meta.rows_read };
}

const SESSIONS = 200;
const LIMIT = 5;

/** Half of them are of one agent, of one person, and wait. */
function manySessions(): readonly Listed[] {
  return Array.from({ length: SESSIONS }, (_, index) => ({
    id: sessionId(),
    agent_id: `agt_${index % 2}`,
    end_user_id: `user-${index % 2}`,
    created_at: momentAt(index),
    status: index % 2 === 1 ? "awaiting_permission" : null,
    told: { reply_status: "error", bytes: 1 },
  }));
}

const STATE = "SEARCH session_states USING INDEX sqlite_autoindex_session_states_1 (session_id=?)";
/** Of each session, whether the version that it keeps was retired. */
const VERSION = [
  "CORRELATED SCALAR SUBQUERY 1",
  "SEARCH agent_versions USING INDEX sqlite_autoindex_agent_versions_1 (agent_id=? AND version=?)",
];
const SESSION = "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)";

describe("a page of sessions", () => {
  test(
    "is read from the index of its filter, in its order, and costs the same at every place of the list",
    BROAD,
    async () => {
      const { tenantId } = await listInDatabase(manySessions());
      const [agent_id, end_user_id, status] = ["agt_1", "user-1", "awaiting_permission"] as const;
      const ofAll = { index: "sessions_tenant", equal: "tenant_id=?" };
      const ofAgent = { index: "sessions_agent", equal: "tenant_id=? AND agent_id=?" };
      const ofPerson = { index: "sessions_end_user", equal: "tenant_id=? AND end_user_id=?" };
      const ofState = { index: "session_states_status", equal: "tenant_id=? AND status=?" };
      const ofFailed = { index: "session_states_failed", equal: "tenant_id=?" };
      const filters = [
        { filter: {}, ...ofAll },
        { filter: { agent_id }, ...ofAgent },
        { filter: { end_user_id }, ...ofPerson },
        { filter: { agent_id, end_user_id }, ...ofPerson },
        { filter: { status }, ...ofState },
        { filter: { status, agent_id }, ...ofState },
        { filter: { status, agent_id, end_user_id }, ...ofState },
        { filter: { status: "idle", agent_id: "agt_0" }, ...ofAgent },
        { filter: { status: "failed" }, ...ofFailed },
        { filter: { status: "failed", agent_id }, ...ofFailed },
      ] as const;

      for (const { filter, index, equal } of filters) {
        const isByState = index.startsWith("session_states");
        const [table, time, id, beside] = isByState
          ? ["session_states", "session_created_at", "session_id", SESSION]
          : ["sessions", "created_at", "id", `${STATE} LEFT-JOIN`];
        const entered = (range: string) => [
          `SEARCH ${table} USING INDEX ${index} (${equal}${range})`,
          beside,
          ...VERSION,
        ];
        const [upTo, from] = [` AND (${time},${id})<(?,?)`, ` AND ${time}>?`];
        const before = { created_at: momentAt(50), id: sessionId(1) };
        const [created_after, created_before] = [momentAt(20), momentAt(150)];

        const costs = [];
        for (const range of [
          {},
          { before },
          { created_before },
          { created_after },
          { created_after, created_before },
          { before, created_after, created_before },
        ]) {
          costs.push(await costOf(tenantId, { ...filter, ...range, limit: LIMIT }));
        }

        expect(costs.map(({ plan }) => plan)).toEqual(
          ["", upTo, upTo, from, from + upTo, from + upTo].map(entered),
        );
        expect(new Set(costs.map(({ rowsRead }) => rowsRead)).size).toBe(1);
        expect(costs[0]!.rowsRead).toBeLessThanOrEqual(4 * (LIMIT + 1));
      }
    },
  );

  test("of several agents or states is merged of a page of each", BROAD, async () => {
    const { tenantId } = await listInDatabase(manySessions());
    const before = { created_at: momentAt(50), id: sessionId(1) };

    for (const filter of [{ agent_ids: ["agt_0", "agt_1"] }, { status: "waiting" }] as const) {
      const costs = await costsOf(tenantId, { ...filter, before, limit: LIMIT });

      expect(costs.length).toBe(2);
      for (const { plan, rowsRead } of costs) {
        expect(plan[0]).toMatch(
          /^SEARCH \w+ USING INDEX (sessions_agent|session_states_status) .*<\(\?,\?\)\)$/,
        );
        expect(rowsRead).toBeLessThanOrEqual(4 * (LIMIT + 1));
      }
    }
  });

  test("of running sessions reads these alone", BROAD, async () => {
    const sessions = manySessions();
    const { tenantId } = await listInDatabase(sessions);
    const running_ids = [3, 50, 120].map((index) => sessions[index]!.id);

    const { plan, rowsRead } = await costOf(tenantId, { status: "running", running_ids, limit: 5 });

    expect(plan[0]).toBe(SESSION);
    expect(rowsRead).toBeLessThanOrEqual(4 * 2 * running_ids.length);
  });

  test("with a minimal cost reads a bounded number of sessions", BROAD, async () => {
    const { tenantId } = await listInDatabase(manySessions());

    const costs = await costsOf(tenantId, { min_cost_usd: 1, limit: LIMIT });

    expect(costs.map(({ plan }) => plan[0])).toEqual(
      Array.from({ length: 2 }, () => "SEARCH sessions USING INDEX sessions_tenant (tenant_id=?)"),
    );
    for (const { rowsRead } of costs) expect(rowsRead).toBeLessThanOrEqual(3 * SESSIONS);
  });
});
