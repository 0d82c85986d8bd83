import type { StoredTenant } from "../../storage/tenants/operator-storage.ts";
import { knownKeys } from "./known-keys.ts";
import { knownTenants } from "./known-tenants.ts";
import { tenantStub } from "./tenant-stub.ts";

/**
 * Tells the tenant's object what D1 has, which tells the sessions that run or are read. This isolate asks anew at once.
 * @throws when the object cannot be reached; the same request again tells it. Until then it finds out by itself within
 *   half a minute, while its sessions ask.
 */
export async function setStanding(env: Env, { tenant, revision }: StoredTenant): Promise<void> {
  knownKeys.forget((key) => key.tenant_id === tenant.id);
  knownTenants.forget(tenant.id);
  const { status, quotas } = tenant;
  await tenantStub(env, tenant.id).setStanding({ status, quotas, revision });
}
