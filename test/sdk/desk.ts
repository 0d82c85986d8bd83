// A tenant with a desk of its own, reached through the SDK.
import { inject } from "vitest";

import { Reprise, type RepriseOptions, type TenantSession } from "../../sdk/index.ts";
import { createAgent, createTenant } from "../support/platform-client.ts";

/** Fast enough for a test that cuts a reply forty times, and as patient as a busy machine asks. */
export const QUICK = { firstDelayMs: 2, maxDelayMs: 20, stallMs: 30_000, giveUpAfterMs: 60_000 };

export interface Desk {
  readonly apiKey: string;
  readonly agentId: string;
  readonly reprise: Reprise;
  readonly openSession: () => Promise<TenantSession>;
  /** Another client of the same tenant, such as one behind a proxy. */
  readonly clientOf: (options: Partial<RepriseOptions>) => Reprise;
}

export async function openDesk(agent: object = {}): Promise<Desk> {
  const { key: apiKey } = await createTenant();
  const agentId = await createAgent(apiKey, agent);
  const clientOf = (options: Partial<RepriseOptions>) =>
    new Reprise({ apiKey, baseUrl: inject("baseUrl"), reconnect: QUICK, ...options });
  const reprise = clientOf({});
  return {
    apiKey,
    agentId,
    reprise,
    clientOf,
    openSession: () => reprise.sessions.create({ agent_id: agentId }),
  };
}
