import { findLeftIndexes, hasSearchIndex } from "../../storage/search/search-setting.ts";
import { searchStub } from "../objects/search-stub.ts";

/**
 * Erases a session from its tenant's search index, after its deletion has begun in D1, from where the index would take it
 * again. @throws when D1 or the index fails: the deletion must then be continued later.
 */
export async function forgetInSearch(
  env: Pick<Env, "DB" | "SEARCH">,
  { tenant_id, session_id }: { readonly tenant_id: string; readonly session_id: string },
): Promise<void> {
  if (!(await hasSearchIndex(env.DB, tenant_id))) return;
  await searchStub(env, tenant_id).forget(session_id);
}

/** Erases indexes whose search was turned off by a request that has not come so far. Contract: never rejects. */
export async function eraseLeftIndexes(env: Pick<Env, "DB" | "SEARCH">): Promise<void> {
  try {
    for (const tenantId of await findLeftIndexes(env.DB)) {
      await searchStub(env, tenantId).followSetting();
    }
  } catch (error) {
    console.warn("sweep: an index was not erased; the next sweep will", { error: String(error) });
  }
}
