// A tenant whose sessions are searched.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import type { Session, SessionPage } from "../../../protocol/sessions/contract.ts";
import { ask, type Call, makeAgent, makeTenant } from "../support/api.ts";

interface SearchedTenant {
  readonly tenantId: string;
  readonly call: Call;
  readonly agentId: string;
  /** Opens a session, and has its end user say this. @returns its id. */
  readonly say: (input: string, session?: object) => Promise<string>;
  /** @param query Further parameters. */
  readonly page: (search: string, query?: string) => Promise<SessionPage>;
  /** The ids of a page. */
  readonly find: (search: string, query?: string) => Promise<readonly string[]>;
}

export async function searchedTenant(): Promise<SearchedTenant> {
  const { id: tenantId, call } = await makeTenant();
  const { id: agentId } = await makeAgent(call);
  const page = async (search: string, query = "") => {
    const path = `/v1/sessions?search=${encodeURIComponent(search)}${query}`;
    return (await ask<SessionPage>("GET", path, call)).json;
  };
  return {
    tenantId,
    call,
    agentId,
    page,
    async say(input, session) {
      const json = { agent_id: agentId, ...session };
      const { id } = (await ask<Session>("POST", "/v1/sessions", { ...call, json })).json;
      await ask("POST", `/v1/sessions/${id}/replies`, { ...call, json: { input } });
      const told = "SELECT 1 FROM session_states WHERE session_id = ? AND first_words IS NOT NULL";
      await expect.poll(() => env.DB.prepare(told).bind(id).first()).not.toBe(null);
      return id;
    },
    find: async (search, query) => (await page(search, query)).data.map(({ id }) => id),
  };
}

export const searchObject = (tenantId: string) => env.SEARCH.getByName(tenantId);

export async function storedBytes(tenantId: string): Promise<number> {
  const read = "SELECT stored_bytes FROM tenant_counts WHERE tenant_id = ?";
  return (await env.DB.prepare(read).bind(tenantId).first<number>("stored_bytes")) ?? 0;
}

export async function indexBytes(tenantId: string): Promise<number | null> {
  const read = "SELECT bytes FROM search_indexes WHERE tenant_id = ?";
  return env.DB.prepare(read).bind(tenantId).first<number>("bytes");
}

export async function changesLeft(tenantId: string): Promise<readonly string[]> {
  const read = "SELECT session_id FROM search_changes WHERE tenant_id = ?";
  const { results } = await env.DB.prepare(read).bind(tenantId).all<{ session_id: string }>();
  return results.map(({ session_id }) => session_id);
}
