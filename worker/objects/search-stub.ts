import type { SearchApi } from "../../durable-objects/api/search-api.ts";

/** The RPC stub of a tenant's search index: one object for each tenant, so that no other's sessions are in it. */
export function searchStub(env: Pick<Env, "SEARCH">, tenantId: string): SearchApi {
  // As in session-stub.ts: the generated stub type is less precise than the API's.
  return env.SEARCH.getByName(tenantId) as unknown as SearchApi;
}
