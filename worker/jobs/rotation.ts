// The automatic part of rotating the deployment's secrets, and the log lines that tell the operator when it is
// complete.
import { rewrapTenantKey, wrappedKeyStart } from "../../storage/secrets/credential-cipher.ts";
import { keyIdOf } from "../../storage/secrets/key-id.ts";
import { countOlderApiKeys } from "../../storage/keys/rehash-api-key.ts";
import {
  isPepperRolledBack,
  keyPepperOf,
  type MasterKeyBindings,
  masterKeyOf,
  type PepperBindings,
} from "../../storage/secrets/deployment-secrets.ts";
import {
  countOlderTenantKeys,
  findOlderTenantKeys,
  replaceTenantKeys,
  type StoredTenantKey,
} from "../../storage/credentials/tenant-key-storage.ts";

export type RotationBindings = MasterKeyBindings & PepperBindings & Pick<Env, "DB" | "THREAD_KEY">;

/**
 * Re-encrypts tenants' data keys with the current master key while a previous one is configured. No query otherwise.
 * @returns the number of re-encrypted keys. One that cannot be decrypted is logged and kept.
 */
export async function rewrapTenantKeys(
  env: MasterKeyBindings & Pick<Env, "DB">,
  most: number,
): Promise<number> {
  const masterKey = masterKeyOf(env);
  if (masterKey.previous === undefined) return 0;
  const start = await wrappedKeyStart(masterKey.current);
  const older = await findOlderTenantKeys(env.DB, start, most);
  const wrapped = await Promise.all(
    older.map(async (stored: StoredTenantKey) => {
      const { tenant_id: tenantId, wrapped: tenantKey } = stored;
      try {
        return [{ stored, fresh: await rewrapTenantKey({ masterKey, tenantKey, tenantId }) }];
      } catch (error) {
        console.error("key rotation: failed to decrypt a tenant's data key", {
          tenant_id: tenantId,
          error: String(error),
        });
        return [];
      }
    }),
  );
  const replaced = wrapped.flat();
  await replaceTenantKeys(env.DB, replaced);
  return replaced.length;
}

/**
 * Logs how many items still use the previous secrets, so that the operator knows when to remove them. Logs nothing
 * without a rotation. Contract: never rejects.
 */
export async function logRotation(env: RotationBindings): Promise<void> {
  try {
    await logMasterKeyRotation(env);
    await logPepperRotation(env);
  } catch (error) {
    console.warn("key rotation: failed to count the remaining items", { error: String(error) });
  }
}

async function logMasterKeyRotation(env: RotationBindings): Promise<void> {
  const { current, previous } = masterKeyOf(env);
  if (previous === undefined) return;
  console.warn("MASTER_KEY is being rotated", {
    key_id: await keyIdOf(current),
    tenant_keys_left: await countOlderTenantKeys(env.DB, await wrappedKeyStart(current)),
  });
}

async function logPepperRotation(env: RotationBindings): Promise<void> {
  const { current, previous } = keyPepperOf(env);
  if (previous === undefined) return;
  const keyId = await keyIdOf(current);
  const now = new Date().toISOString();
  console.warn("KEY_PEPPER is being rotated", {
    key_id: keyId,
    api_keys_left: await countOlderApiKeys(env.DB, keyId, now),
    ...(!env.THREAD_KEY &&
      !isPepperRolledBack(env) && {
        before_it_ends:
          "set THREAD_KEY to the value of KEY_PEPPER_PREVIOUS, or named threads lose their sessions",
      }),
  });
}
