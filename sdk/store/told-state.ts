// A state and those who are told when it changes.
import { callAll } from "./call-all.ts";

export class ToldState<State> {
  readonly #next: (before: State) => State;
  readonly #schedule: (tell: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #state: State;
  #isScheduled = false;

  /** @param next The state as it is now; the one of before when nothing has changed. */
  constructor(
    initial: State,
    next: (before: State) => State,
    schedule: (tell: () => void) => void,
  ) {
    this.#state = initial;
    this.#next = next;
    this.#schedule = schedule;
  }

  get state(): State {
    return this.#state;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** @returns removes the listener. */
  add(listener: () => void): () => void {
    // A function of its own, so that the same listener can be there twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Tells of a change when it is time for it, however many changes come until then. */
  change(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.tell();
    });
  }

  /** Tells of a change now. */
  tell(): void {
    const before = this.#state;
    this.#state = this.#next(before);
    if (this.#state !== before) callAll(this.#listeners, undefined);
  }
}
