// A platform with many tenants: the cost for one of them.
import type { Cell } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { fillSessions, fillTenants } from "../fill-database.ts";
import { measureGrowth } from "../measure-growth.ts";
import { measureGet, measureRequest, openTenant } from "../own-tenant.ts";

const TENANTS = [100, 1_000, 10_000];
const SESSIONS_OF_EACH = 10;

export const growthTenants: Cell = {
  name: "growth-tenants",
  title: `10 and 100 times as many tenants in the database, with ${SESSIONS_OF_EACH} sessions each`,
  isQuick: false,
  run({ reprise, rounds }) {
    let filled = 0;
    return measureGrowth({
      sizes: TENANTS,
      what: "tenants",
      rounds,
      isShared: true,
      async open(size) {
        await reprise.runStatements(fillTenants(filled, size, SESSIONS_OF_EACH));
        filled = size;
        const tenant = await openTenant(reprise);
        const { agentId, api } = tenant;
        await reprise.runStatements(
          fillSessions({ tenantId: tenant.id, agentId, sessions: SESSIONS_OF_EACH }),
        );
        const open = () => api.call("POST", "/v1/sessions", { agent_id: agentId });
        const askAnew = async () => {
          const other = await reprise.createTenant();
          return readPath(reprise, other, "/v1/sessions");
        };
        return [
          ...measureRequest(reprise, "a new tenant, a key, and the first request with it", askAnew),
          ...measureGet(reprise, tenant, "list 10 sessions", "/v1/sessions?limit=10"),
          ...measureGet(reprise, tenant, "list 10 agents", "/v1/agents?limit=10"),
          ...measureRequest(reprise, "open a session", open),
        ];
      },
    });
  },
};
