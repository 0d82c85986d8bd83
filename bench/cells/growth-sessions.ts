// A tenant with many sessions: lists, and creating another session.
import type { Cell } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { fillSessions } from "../fill-database.ts";
import { measureGrowth } from "../measure-growth.ts";
import { measureGet, measureRequest, openTenant } from "../own-tenant.ts";

const SESSIONS = [1_000, 10_000, 100_000];

export const growthSessions: Cell = {
  name: "growth-sessions",
  title: "one tenant with 10 and 100 times as many sessions",
  isQuick: false,
  run({ reprise, rounds }) {
    return measureGrowth({
      sizes: SESSIONS,
      what: "sessions",
      rounds,
      async open(size) {
        const tenant = await openTenant(reprise);
        const { agentId, api } = tenant;
        await reprise.runStatements(fillSessions({ tenantId: tenant.id, agentId, sessions: size }));
        const { text } = await readPath(reprise, tenant, "/v1/sessions?limit=20");
        const { next_page } = JSON.parse(text) as { next_page: string };
        const open = () => api.call("POST", "/v1/sessions", { agent_id: agentId });
        const get = (name: string, query: string) =>
          measureGet(reprise, tenant, name, `/v1/sessions?limit=20${query}`);
        return [
          ...get("list 20 sessions", ""),
          ...get("list the next 20", `&page=${next_page}`),
          ...get("list 20 of an agent", `&agent_id=${agentId}`),
          ...get("list 20 of an end user", "&end_user_id=user-7"),
          ...get("list those that wait", "&status=awaiting_permission"),
          ...measureRequest(reprise, "open a session", open),
          ...measureGet(reprise, tenant, "sum the usage of 30 days", "/v1/usage"),
        ];
      },
    });
  },
};
