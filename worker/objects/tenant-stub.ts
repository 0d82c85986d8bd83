import type { TenantApi } from "../../durable-objects/api/tenant-api.ts";

/** The RPC stub of a tenant's object. Reading from the object of a nonexistent tenant writes nothing. */
export function tenantStub(env: Pick<Env, "TENANT">, tenantId: string): TenantApi {
  // As in session-stub.ts: the generated stub type is less precise than the API's.
  return env.TENANT.getByName(tenantId) as unknown as TenantApi;
}
