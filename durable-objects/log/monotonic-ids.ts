// Makes ids of one object, each greater than the one before, so that their order is the order of creation.
import { formatId, ID_RANDOM_BYTES, idTimeMs, type IdPrefix } from "../../protocol/ids.ts";
import { MAX_ID_AHEAD_MS } from "../../protocol/replies/limits.ts";

export class MonotonicIds {
  #lastMs: number;

  /** @param made Earlier ids, the greatest among them: the clock may have been set back since. */
  constructor(...made: readonly (string | null | undefined)[]) {
    // An id with an absurd time would leave no room for greater ones.
    const latestMs = Date.now() + MAX_ID_AHEAD_MS;
    const times = made.map((id) => (id ? idTimeMs(id) : 0)).filter((timeMs) => timeMs <= latestMs);
    this.#lastMs = Math.max(0, ...times);
  }

  next<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    return formatId(prefix, this.#lastMs, crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES)));
  }
}
