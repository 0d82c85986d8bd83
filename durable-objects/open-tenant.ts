import type { SessionInit } from "./session-api.ts";
import { SessionTenant, type SessionDoor } from "./session-tenant.ts";
import type { TenantApi } from "./tenant-api.ts";

/** The session's side of its tenant's object, which is looked up each time: a stub that has failed once stays broken. */
export function openTenant(
  env: Pick<Env, "TENANT">,
  { tenant_id, session_id }: Pick<SessionInit, "tenant_id" | "session_id">,
  door: SessionDoor,
): SessionTenant {
  const tenant = () => env.TENANT.getByName(tenant_id) as unknown as TenantApi;
  return new SessionTenant(session_id, tenant, door);
}
