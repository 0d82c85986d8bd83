import type { SessionInit } from "../api/session-api.ts";
import type { TenantApi } from "../api/tenant-api.ts";
import { SessionTenant, type TenantCallbacks } from "../tenant/session-tenant.ts";

/** The session's side of its tenant's object, which is looked up each time: a stub that has failed once stays broken. */
export function openTenant(
  env: Pick<Env, "TENANT">,
  { tenant_id, session_id }: Pick<SessionInit, "tenant_id" | "session_id">,
  callbacks: TenantCallbacks,
): SessionTenant {
  const tenant = () => env.TENANT.getByName(tenant_id) as unknown as TenantApi;
  return new SessionTenant(session_id, tenant, callbacks);
}
