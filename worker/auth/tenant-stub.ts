import type { TenantApi } from "../../durable-objects/api/tenant-api.ts";

/** The tenant's object as routes see it. Asking it for a tenant that never was changes nothing. */
export function tenantStub(env: Pick<Env, "TENANT">, tenantId: string): TenantApi {
  // As of sessions: the runtime's own type of a stub says less than the object does.
  return env.TENANT.getByName(tenantId) as unknown as TenantApi;
}
