// Ids of one object, each greater than the one before, so that their order is the order of their making.
import { formatId, ID_RANDOM_BYTES, idTimeMs, type IdPrefix } from "../protocol/ids.ts";

export class MonotonicIds {
  #lastMs: number;

  /** @param last The greatest id so far: the machine's clock may have gone back since it was made. */
  constructor(last?: string) {
    this.#lastMs = last === undefined ? 0 : idTimeMs(last);
  }

  next<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    return formatId(prefix, this.#lastMs, crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
  }
}
