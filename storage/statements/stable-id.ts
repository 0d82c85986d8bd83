import { formatId, ID_RANDOM_BYTES, type IdPrefix } from "../../protocol/ids.ts";

/**
 * An id derived from a key, so that a repeated write has the same id.
 * @param timeMs Unix milliseconds, by which the id sorts.
 */
export async function stableId<Prefix extends IdPrefix>(
  prefix: Prefix,
  timeMs: number,
  key: string,
): Promise<`${Prefix}_${string}`> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return formatId(prefix, timeMs, new Uint8Array(digest, 0, ID_RANDOM_BYTES));
}
