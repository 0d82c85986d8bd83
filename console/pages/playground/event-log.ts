// The events of one session as this page has heard them, and those before, in order and without a gap.
import type { LoggedEvent } from "../../../sdk/index.ts";

/** Milliseconds between two times that listeners are told: a list of events is no animation. */
const TELL_MS = 100;

export class EventLog {
  #events: LoggedEvent[] = [];
  #version = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #listeners = new Set<() => void>();

  /** Grows at its end; another list when earlier events were put in front. Not to be changed. */
  get events(): readonly LoggedEvent[] {
    return this.#events;
  }

  get firstSeq(): number | null {
    return this.#events[0]?.seq ?? null;
  }

  get lastSeq(): number | null {
    return this.#events.at(-1)?.seq ?? null;
  }

  readonly getVersion = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** An event as it comes; one that is there already is left out. */
  readonly take = (event: LoggedEvent): void => {
    if (event.seq <= (this.lastSeq ?? 0)) return;
    this.#events.push(event);
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS);
  };

  /** Events from before the first one. */
  putInFront(earlier: readonly LoggedEvent[]): void {
    const first = this.firstSeq ?? Infinity;
    this.#events = [...earlier.filter(({ seq }) => seq < first), ...this.#events];
    this.#tell();
  }

  /** Events behind `after` up to `last`. */
  countBetween(after: number, last: number): number {
    let count = 0;
    for (let index = this.#events.length - 1; index >= 0; index -= 1) {
      const seq = this.#events[index]?.seq ?? 0;
      if (seq <= after) break;
      if (seq <= last) count += 1;
    }
    return count;
  }

  #tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
