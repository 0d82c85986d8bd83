import { knownTenants } from "./known-tenants.ts";
import { tenantStub } from "./tenant-stub.ts";

/**
 * Ends what was opened with keys that were revoked: the tenant's object knows which of its sessions are in use, and
 * tells them.
 * @param options.tokens Whether the client tokens that they have minted go too, in every session.
 * @throws what the object throws; the keys are revoked by then, and the same request may be sent again.
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
