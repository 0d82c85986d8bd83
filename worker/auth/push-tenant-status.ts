import type { StoredTenant } from "../../storage/operator/operator-storage.ts";
import { knownKeys } from "./known-keys.ts";
import { knownTenants } from "./known-tenants.ts";
import { tenantStub } from "../objects/tenant-stub.ts";

/**
 * Pushes a tenant's status from D1 to the tenant's object, which notifies its sessions in use. Invalidates this
 * isolate's cache.
 * @throws when the object cannot be reached; repeating the request pushes again. Otherwise the object reads D1 itself
 *   within half a minute while its sessions are in use.
 */
export async function pushTenantStatus(
  env: Env,
  { tenant, revision }: StoredTenant,
): Promise<void> {
  knownKeys.forget((key) => key.tenant_id === tenant.id);
  knownTenants.forget(tenant.id);
  const { status, quotas } = tenant;
  await tenantStub(env, tenant.id).setSettings({ status, quotas, revision });
}
