// Erases memory stores: the row says that the erasure has begun, then the object goes, and the row last, so that one that is
// interrupted is found again.
import { ERASED_STORES_AT_ONCE, SWEPT_STORES } from "../../protocol/memory/limits.ts";
import {
  findLeftStores,
  listTenantStores,
  markStore,
  removeStore,
  type RegisteredStore,
} from "../../storage/memory/store-registry.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { nowTimestamp } from "../new-id.ts";

type MemoryBindings = Pick<Env, "DB" | "MEMORY">;

/** Idempotent. @throws when D1 or the object fails: the sweep then finds the store. */
export async function eraseMemoryStore(
  env: MemoryBindings,
  { id, tenant_id }: RegisteredStore,
): Promise<void> {
  const begun = await markStore(env.DB, { id, tenant_id }, nowTimestamp());
  if (begun === null) return;
  await memoryStub(env, tenant_id, id).erase(begun);
  await removeStore(env.DB, { id, tenant_id });
}

/** Some stores of a tenant that is closed. @returns whether none is left. @throws as {@link eraseMemoryStore}. */
export async function eraseTenantStores(env: MemoryBindings, tenantId: string): Promise<boolean> {
  const stores = await listTenantStores(env.DB, tenantId, ERASED_STORES_AT_ONCE);
  await eraseAll(env, stores);
  return stores.length < ERASED_STORES_AT_ONCE;
}

/** Erases stores of deleted agents, and those whose erasure was interrupted. Contract: never rejects. @returns how many. */
export async function eraseLeftStores(env: MemoryBindings): Promise<number> {
  try {
    const stores = await findLeftStores(env.DB, SWEPT_STORES);
    await eraseAll(env, stores);
    return stores.length;
  } catch (error) {
    console.warn("sweep: a memory store was not erased; the next sweep will", {
      error: String(error),
    });
    return 0;
  }
}

/** All are tried. @throws the first failure. */
async function eraseAll(env: MemoryBindings, stores: readonly RegisteredStore[]): Promise<void> {
  const erased = await Promise.allSettled(stores.map((store) => eraseMemoryStore(env, store)));
  const failed = erased.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
