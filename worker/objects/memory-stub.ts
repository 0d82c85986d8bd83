import { memoryObjectName, type MemoryApi } from "../../durable-objects/api/memory-api.ts";

/** The RPC stub of a memory store. One that has no memories answers with none, and creates nothing. */
export function memoryStub(env: Pick<Env, "MEMORY">, tenantId: string, storeId: string): MemoryApi {
  // As in session-stub.ts: the generated stub type is less precise than the API's.
  return env.MEMORY.getByName(memoryObjectName(tenantId, storeId)) as unknown as MemoryApi;
}
