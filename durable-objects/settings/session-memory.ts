// The memory store of a session, as the loop asks it: by RPC, within a bound of time, and never with a throw.
import type { MemoryResult, MemoryStore } from "../../agent/memory-store.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { MEMORY_READ_MS, MEMORY_WRITE_MS } from "../../protocol/memory/limits.ts";
import { untilStopped } from "../../runtime/until-stopped.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { memoryStoreId } from "../../storage/memory/store-id.ts";
import { memoryObjectName, type MemoryApi } from "../api/memory-api.ts";

interface MemorySession {
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly agent: Pick<AgentDefinition, "memory">;
  readonly agent_version: number;
}

export type MemoryBindings = Pick<Env, "MEMORY"> & Parameters<typeof memoryStoreId>[0];

/** Null for an agent without memory, and for memories of end users in a session that has none. */
export function openMemoryStore(env: MemoryBindings, session: MemorySession): MemoryStore | null {
  const { tenant_id, agent_id, agent, agent_version } = session;
  if (!agent.memory) return null;
  const { scope, embedding = null } = agent.memory;
  const end_user_id = scope === "agent" ? null : session.end_user_id;
  if (scope === "end_user" && end_user_id === null) return null;
  const owner = { tenant_id, agent_id, end_user_id };
  let id: Promise<string> | null = null;
  const readId = () => (id ??= memoryStoreId(env, owner));
  const open = async () => {
    const name = memoryObjectName(tenant_id, await readId());
    return env.MEMORY.getByName(name) as unknown as MemoryApi;
  };
  const call = { owner, embedding, agent_version };
  return {
    readId,
    retrieve: ({ texts, limit, stop }) =>
      asked(async () => {
        const store = await open();
        const recalled = withinDeadline(store.recall({ ...call, texts, limit }), MEMORY_READ_MS);
        await untilStopped(recalled, stop);
        if (!stop.aborted) return await recalled;
        // Nobody waits for it any more.
        recalled.catch(() => undefined);
        return { ok: false, failure: { code: "unavailable", detail: "the search was stopped" } };
      }),
    record: ({ record_id, memories }) =>
      asked(async () => {
        const store = await open();
        return withinDeadline(store.record({ ...call, record_id, memories }), MEMORY_WRITE_MS);
      }),
    gone: (memoryIds) =>
      asked(async () => {
        const store = await open();
        const value = await withinDeadline(store.gone(memoryIds), MEMORY_READ_MS);
        return { ok: true, value };
      }),
  };
}

async function asked<Value>(ask: () => Promise<MemoryResult<Value>>): Promise<MemoryResult<Value>> {
  try {
    return await ask();
  } catch (error) {
    console.warn("memory: a store did not answer", { error: String(error) });
    const detail = "the memory store cannot be reached at the moment; try again later";
    return { ok: false, failure: { code: "unavailable", detail } };
  }
}
