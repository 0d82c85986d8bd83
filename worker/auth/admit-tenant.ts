// Whether a tenant is served at all. Keys learn it with the key; everything that is handed out for a session learns it
// here, from the tenant's object, which D1 may be down behind.
import type { TenantDoor } from "../../durable-objects/api/tenant-api.ts";
import type { TenantStatus } from "../../protocol/api/tenants.ts";
import { HttpError } from "../http-error.ts";
import { knownTenants } from "./known-tenants.ts";
import { unauthenticated } from "./unauthenticated.ts";
import { tenantStub } from "./tenant-stub.ts";

/** What its object says of the tenant, up to 30 seconds old; null when nobody knows. */
function findTenantDoor(env: Pick<Env, "TENANT">, tenantId: string): Promise<TenantDoor | null> {
  return knownTenants.find(tenantId, () => tenantStub(env, tenantId).door());
}

/**
 * For client tokens, callbacks and whatever else goes by no key. @param makerId The key that has minted it, if that is
 * known. @returns what is known of the tenant.
 * @throws HttpError 403 when the tenant is suspended; 401 when it is closed, or the key was revoked with all it had made.
 */
export async function admitTenant(
  env: Pick<Env, "TENANT">,
  tenantId: string,
  makerId?: string,
): Promise<TenantDoor | null> {
  const door = await findTenantDoor(env, tenantId);
  if (!door) return null;
  refuseStopped(door.status);
  if (makerId !== undefined && door.revoked_makers.includes(makerId)) {
    throw unauthenticated(
      "the key that has minted this credential was revoked with all it had made",
    );
  }
  return door;
}

/** @throws HttpError for a tenant that is not active. */
export function refuseStopped(status: TenantStatus): void {
  if (status === "closed") throw unauthenticated("the tenant of this credential is closed");
  if (status !== "suspended") return;
  throw new HttpError(
    "tenant_suspended",
    "the operator has suspended this tenant; nothing was done, and what it has is kept",
  );
}
