// Numbers the calls of one model call.
import { MAX_TURN_CALLS } from "../../protocol/limits/models.ts";

/** Assigns indexes to the calls of a turn, for endpoints that omit the index or repeat the same one. */
export class CallIndexes {
  readonly #open = new Map<unknown, { index: number; id: string }>();
  #next = 0;

  /**
   * A name with an id other than the open call's starts a new call. All calls beyond the limit of a turn share one
   * index.
   */
  resolve(given: unknown, { id, name }: { id: string; name: string }): number {
    const open = this.#open.get(given);
    if (open && !(name && id && open.id && id !== open.id)) {
      open.id ||= id;
      return open.index;
    }
    const index = this.#next;
    if (index < MAX_TURN_CALLS) this.#next += 1;
    // Not stored beyond the limit, because the stream controls the number of entries.
    if (index < MAX_TURN_CALLS || open) this.#open.set(given, { index, id });
    return index;
  }
}
