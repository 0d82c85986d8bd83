import { cutKeys } from "./cut-keys.ts";
import type { OpenSession } from "./open-session.ts";
import { SessionTenant, type TenantCallbacks } from "../tenant/session-tenant.ts";
import { stopSession } from "./stop-session.ts";
import type { TenantApi } from "../api/tenant-api.ts";

/** The session's side of its tenant's object, which is looked up each time: a stub that has failed once stays broken. */
export function openTenant(
  env: Pick<Env, "TENANT">,
  session: OpenSession,
  inBackground: TenantCallbacks["inBackground"],
): SessionTenant {
  const { tenant_id, session_id } = session.init;
  const tenant = () => env.TENANT.getByName(tenant_id) as unknown as TenantApi;
  return new SessionTenant(session_id, tenant, {
    stop: () => stopSession(session, inBackground),
    hear: ({ cut_keys = [], with_tokens }) => cutKeys(session, cut_keys, with_tokens === true),
    inBackground,
  });
}
