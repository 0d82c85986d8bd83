import { formatId, ID_RANDOM_BYTES, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { threadKeyOf } from "../secrets/deployment-secrets.ts";

/** Whose memories a store has. */
export interface MemoryOwner {
  readonly tenant_id: string;
  readonly agent_id: string;
  /** Null for the store that all end users of the agent share. */
  readonly end_user_id: string | null;
}

/**
 * The id of a store is an HMAC of its owner with a secret of the platform, as those of named threads are: no look-up is
 * needed, nobody can guess it, and concurrent first writes find one store.
 */
export async function memoryStoreId(
  env: Parameters<typeof threadKeyOf>[0],
  { tenant_id, agent_id, end_user_id }: MemoryOwner,
): Promise<`memstore_${string}`> {
  const key = await deriveKey(threadKeyOf(env), "reprise:memory-store");
  // As JSON, in which different lists have different texts.
  const parts = [tenant_id, agent_id, ...(end_user_id === null ? [] : [end_user_id])];
  const text = new TextEncoder().encode(JSON.stringify(parts));
  const signature = await crypto.subtle.sign("HMAC", key, text);
  return formatId("memstore", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
