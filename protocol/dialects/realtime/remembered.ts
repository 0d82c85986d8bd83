import { MAX_REMEMBERED } from "./limits.ts";

/** A map that forgets its oldest entries, for what may never be asked about again. */
export class Remembered<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_REMEMBERED && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
