// A tenant with an agent that remembers, and a store of one of its end users.
import { env } from "cloudflare:workers";

import { memoryObjectName, type MemoryApi } from "../../../durable-objects/api/memory-api.ts";
import type {
  FoundMemories,
  Memory,
  MemoryStoreRecord,
  MemoryVersionPageSchema,
} from "../../../protocol/memory/contract.ts";
import type * as z from "zod";
import type { MemoryOwner } from "../../../storage/memory/store-id.ts";
import { ask, type Call, makeAgent, makeTenant } from "../support/api.ts";

export type VersionPage = z.infer<typeof MemoryVersionPageSchema>;

export async function memoryDesk(memory: object = {}, end_user_id: string | null = "ada") {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call, { name: "Desk", memory });
  const store = await makeStore(call, agent_id, end_user_id);
  const path = `/v1/memory-stores/${store.id}`;
  const owner: MemoryOwner = { tenant_id, agent_id, end_user_id };
  return {
    tenant_id,
    call,
    agent_id,
    store,
    path,
    owner,
    /** Asks for the whole owner with each call. */
    asked: { owner, embedding: null },
    object: memoryObject(tenant_id, store.id),
    write: (content: string, place?: string) =>
      ask<Memory>("POST", `${path}/memories`, {
        ...call,
        json: { content, ...(place !== undefined && { path: place }) },
      }),
    find: async (search: string, query = "") => {
      const at = `${path}/memories?search=${encodeURIComponent(search)}${query}`;
      return (await ask<FoundMemories>("GET", at, call)).json;
    },
    list: async (query = "") =>
      (await ask<FoundMemories>("GET", `${path}/memories${query}`, call)).json,
    versions: async (query = "") =>
      (await ask<VersionPage>("GET", `${path}/versions${query}`, call)).json.data,
  };
}

export async function makeStore(
  call: Call,
  agent_id: string,
  end_user_id: string | null,
): Promise<MemoryStoreRecord> {
  const json = { agent_id, end_user_id };
  return (await ask<MemoryStoreRecord>("POST", "/v1/memory-stores", { ...call, json })).json;
}

function memoryObject(tenantId: string, storeId: string): MemoryApi {
  return env.MEMORY.getByName(memoryObjectName(tenantId, storeId)) as unknown as MemoryApi;
}

export const contentsOf = ({ data }: Pick<FoundMemories, "data">) =>
  data.map(({ content }) => content);
