import { knownTenants } from "./known-tenants.ts";
import { tenantStub } from "../objects/tenant-stub.ts";

/**
 * Closes the streams that were opened with revoked keys: the tenant's object notifies its sessions that are in use.
 * @param options.tokens Whether the client tokens minted with the keys are revoked too, in every session.
 * @throws the object's errors; the keys are revoked already, and the request may be repeated.
 */
export async function cutKeys(
  env: Pick<Env, "TENANT">,
  tenantId: string,
  keyIds: readonly string[],
  { tokens }: { readonly tokens: boolean },
): Promise<void> {
  if (keyIds.length === 0) return;
  await tenantStub(env, tenantId).cutKeys(keyIds, tokens);
  knownTenants.forget(tenantId);
}
