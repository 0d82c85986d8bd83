import { createTenantKey, sealSecret } from "../../storage/secrets/credential-cipher.ts";
import type { SealedSecret } from "../../storage/secrets/credential-cipher.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";

/** Encrypts a secret with the tenant's data key, created with the first secret. The ciphertext is bound to this id. */
export async function sealForTenant(
  context: AppContext,
  secret: string,
  id: string,
): Promise<SealedSecret> {
  const [tenantId, masterKey] = [tenantOf(context), masterKeyOf(context.env)];
  const tenantKey = await tenantStorage(context.env.DB, tenantId).credentials.keepTenantKey(
    await createTenantKey(masterKey.current, tenantId),
  );
  return sealSecret(secret, id, { masterKey, tenantKey, tenantId });
}
