import { formatId, ID_RANDOM_BYTES, type IdPrefix } from "../../protocol/ids.ts";

/**
 * The same id for the same key, so that what is done again is recognised.
 * @param timeMs Unix milliseconds that the id sorts by.
 */
export async function stableId<Prefix extends IdPrefix>(
  prefix: Prefix,
  timeMs: number,
  key: string,
): Promise<`${Prefix}_${string}`> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return formatId(prefix, timeMs, new Uint8Array(digest, 0, ID_RANDOM_BYTES));
}
