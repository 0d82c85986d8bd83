// A tenant for one cell, with the requests measured for growth.
import { readPath } from "./clients/read-path.ts";
import { MAX_GROWTH, timeMs, type Measure } from "./measure-growth.ts";
import type { Reprise, RepriseTenant } from "./peers/reprise.ts";
import { readString } from "../scripts/local-api.ts";

/** Milliseconds until a request's background work has ended. */
const SETTLE_MS = 300;

export interface OwnTenant extends RepriseTenant {
  readonly agentId: string;
}

export async function openTenant(reprise: Reprise): Promise<OwnTenant> {
  const tenant = await reprise.createTenant();
  const model = { provider: "scripted" };
  const answer = await tenant.api.call("POST", "/v1/agents", { name: "Bench", model });
  return { ...tenant, agentId: readString(answer, "id") };
}

/** Measures of a request: its duration, and the rows that D1 reads for it. */
export function measureRequest(
  reprise: Reprise,
  name: string,
  request: () => Promise<unknown>,
): readonly Measure[] {
  return [
    { name, unit: "ms", maxGrowth: MAX_GROWTH, measure: () => timeMs(request) },
    {
      name: `${name}: rows that D1 reads`,
      unit: "rows",
      maxGrowth: MAX_GROWTH,
      async measure() {
        const before = await reprise.readDatabase();
        await request();
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        return (await reprise.readDatabase()).rows_read - before.rows_read;
      },
    },
  ];
}

export function measureGet(
  reprise: Reprise,
  tenant: RepriseTenant,
  name: string,
  path: string,
): readonly Measure[] {
  return measureRequest(reprise, name, () => readPath(reprise, tenant, path));
}
