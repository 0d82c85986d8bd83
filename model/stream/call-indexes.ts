// Numbers the calls of one model call.
import { MAX_TURN_CALLS } from "../../protocol/models/limits.ts";
import { shortHash } from "./short-hash.ts";

/** Characters of an index or id that are kept as they are: the stream controls their length, and 128 are kept. */
const MAX_KEPT_CHARACTERS = 256;

interface NumberedCall {
  readonly index: number;
  id: string;
}

/** Assigns indexes to the calls of a turn, for endpoints that omit the index or repeat the same one. */
export class CallIndexes {
  readonly #open = new Map<unknown, NumberedCall>();
  /** By the stream's index and the id. */
  readonly #known = new Map<string, NumberedCall>();
  #next = 0;

  /**
   * A name with an id that is new to this index starts a new call; an id that is known finds its call again. All calls
   * beyond the limit of a turn share one index.
   * @param given The stream's own index; anything but a number or a text counts as left out.
   */
  resolve(given: unknown, { id: fullId, name }: { id: string; name: string }): number {
    const key = keyOf(given);
    const id = shortened(fullId);
    const open = this.#open.get(key);
    if (!open) return this.begin(given, fullId);
    if (id === "" || open.id === "" || id === open.id) {
      if (open.id === "" && id !== "") this.#name(key, open, id);
      return open.index;
    }
    const known = this.#known.get(knownKey(key, id));
    if (known) this.#open.set(key, known);
    else if (name) return this.begin(given, fullId);
    return (known ?? open).index;
  }

  /** Starts a new call, whatever is open. */
  begin(given: unknown, fullId: string): number {
    const key = keyOf(given);
    const id = shortened(fullId);
    const call: NumberedCall = { index: this.#next, id: "" };
    const isNumbered = call.index < MAX_TURN_CALLS;
    if (isNumbered) this.#next += 1;
    // Not stored beyond the limit, because the stream controls the number of entries.
    if (isNumbered || this.#open.has(key)) this.#open.set(key, call);
    if (isNumbered && id !== "") this.#name(key, call, id);
    else call.id = id;
    return call.index;
  }

  /** Whether a call with this index has the id. */
  isKnown(given: unknown, id: string): boolean {
    return id !== "" && this.#known.has(knownKey(keyOf(given), shortened(id)));
  }

  /** Whether the call that was opened last with this index has an id. */
  hasId(given: unknown): boolean {
    return this.#open.get(keyOf(given))?.id !== "";
  }

  #name(key: unknown, call: NumberedCall, id: string): void {
    call.id = id;
    if (call.index < MAX_TURN_CALLS) this.#known.set(knownKey(key, id), call);
  }

  /** The call of this id, else the one that was opened last with this index; undefined for none. */
  find(given: unknown, id = ""): number | undefined {
    const key = keyOf(given);
    const known = id === "" ? undefined : this.#known.get(knownKey(key, shortened(id)));
    return (known ?? this.#open.get(key))?.index;
  }

  /** Pieces with this index belong to no call from here on. */
  forget(given: unknown): void {
    this.#open.delete(keyOf(given));
  }
}

function knownKey(key: unknown, id: string): string {
  return `${typeof key} ${String(key)}\n${id}`;
}

function keyOf(given: unknown): unknown {
  if (typeof given === "number") return given;
  return typeof given === "string" ? shortened(given) : undefined;
}

function shortened(text: string): string {
  return text.length > MAX_KEPT_CHARACTERS ? `${text.length}:${shortHash(text)}` : text;
}
