import { holderOf } from "../../storage/quotas/holder-of.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { TenantApi } from "../api/tenant-api.ts";
import { SessionTenant, type TenantCallbacks } from "../tenants/session-tenant.ts";

/** The session's side of its tenant's object, which is looked up each time: a stub that has failed once stays broken. */
export function openTenant(
  env: Pick<Env, "TENANT">,
  init: Pick<SessionInit, "tenant_id" | "session_id" | "end_user_id" | "bounds">,
  callbacks: TenantCallbacks,
): SessionTenant {
  const tenant = () => env.TENANT.getByName(init.tenant_id) as unknown as TenantApi;
  const { session_id, bounds } = init;
  const holder = holderOf({ ...init, root_session_id: bounds?.root_session_id });
  return new SessionTenant({ session_id, holder }, tenant, callbacks);
}
