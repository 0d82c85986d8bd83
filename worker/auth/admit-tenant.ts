// Checks whether a tenant is active. For API keys the key's record tells; for client tokens, callbacks and tickets the
// tenant's object is asked, which works while D1 is down.
import type { TenantAdmission } from "../../durable-objects/api/tenant-api.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import { HttpError } from "../http-error.ts";
import { knownTenants } from "./known-tenants.ts";
import { unauthenticated } from "./unauthenticated.ts";
import { tenantStub } from "../objects/tenant-stub.ts";

/** The tenant's status from its object, cached for up to 30 seconds; null when unknown. */
function findTenantAdmission(
  env: Pick<Env, "TENANT">,
  tenantId: string,
): Promise<TenantAdmission | null> {
  return knownTenants.find(tenantId, () => tenantStub(env, tenantId).admission());
}

/**
 * For client tokens, callbacks and other credentials that are not API keys. @param makerId The API key that minted it,
 * if known. @returns the status of the tenant.
 * @throws HttpError 403 when the tenant is suspended; 401 when it is closed, or when the minting key was revoked with
 *   cascade.
 */
export async function admitTenant(
  env: Pick<Env, "TENANT">,
  tenantId: string,
  makerId?: string,
): Promise<TenantAdmission | null> {
  const admission = await findTenantAdmission(env, tenantId);
  if (!admission) return null;
  refuseStopped(admission.status);
  if (makerId !== undefined && admission.revoked_makers.includes(makerId)) {
    throw unauthenticated(
      "the API key that minted this credential was revoked together with everything created with it",
    );
  }
  return admission;
}

/** @throws HttpError for a tenant that is not active. */
export function refuseStopped(status: TenantStatus): void {
  if (status === "closed") throw unauthenticated("the tenant of this credential is closed");
  if (status !== "suspended") return;
  throw new HttpError(
    "tenant_suspended",
    "the operator has suspended this tenant; the request was not executed, and the tenant's data is unchanged",
  );
}
