import type { IdPrefix } from "../protocol/ids.ts";
import { formatId, ID_RANDOM_BYTES } from "../protocol/ids.ts";

export function newId<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` {
  return formatId(prefix, Date.now(), crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
}

/** The current time in the API's format. */
export function nowTimestamp(): string {
  return new Date().toISOString();
}
