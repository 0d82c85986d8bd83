// Numbers the calls of one model call.
import { MAX_TURN_CALLS } from "../../protocol/limits/models.ts";
import { shortHash } from "./short-hash.ts";

/** Characters of an index or id that are kept as they are: the stream controls their length, and 128 are kept. */
const MAX_KEPT_CHARACTERS = 256;

/** Assigns indexes to the calls of a turn, for endpoints that omit the index or repeat the same one. */
export class CallIndexes {
  readonly #open = new Map<unknown, { index: number; id: string }>();
  #next = 0;

  /**
   * A name with an id other than the open call's starts a new call. All calls beyond the limit of a turn share one
   * index.
   * @param given The stream's own index; anything but a number or a text counts as left out.
   */
  resolve(given: unknown, { id: fullId, name }: { id: string; name: string }): number {
    const key = keyOf(given);
    const id = shortened(fullId);
    const open = this.#open.get(key);
    if (open && !(name && id && open.id && id !== open.id)) {
      open.id ||= id;
      return open.index;
    }
    const index = this.#next;
    if (index < MAX_TURN_CALLS) this.#next += 1;
    // Not stored beyond the limit, because the stream controls the number of entries.
    if (index < MAX_TURN_CALLS || open) this.#open.set(key, { index, id });
    return index;
  }

  /** The call that was opened last with this index; undefined for none, as beyond the limit of a turn. */
  find(given: unknown): number | undefined {
    return this.#open.get(keyOf(given))?.index;
  }

  /** Pieces with this index belong to no call from here on. */
  forget(given: unknown): void {
    this.#open.delete(keyOf(given));
  }
}

function keyOf(given: unknown): unknown {
  if (typeof given === "number") return given;
  return typeof given === "string" ? shortened(given) : undefined;
}

function shortened(text: string): string {
  return text.length > MAX_KEPT_CHARACTERS ? `${text.length}:${shortHash(text)}` : text;
}
