// The events of a log that fit a filter: with each drawing only those are looked at that are new.
import type { LoggedEvent } from "../../../../sdk/index.ts";

interface EventFilter {
  /** A part of the type's name; empty for all. */
  readonly type: string;
  /** Also those that bring a few letters of a text, a thought, an input or a result. */
  readonly hasDeltas: boolean;
}

export class FilteredEvents {
  readonly #filter: EventFilter;
  #source: readonly LoggedEvent[] = [];
  #seen = 0;
  #shown: LoggedEvent[] = [];

  constructor(filter: EventFilter) {
    this.#filter = filter;
  }

  /** @param events The log's list, which grows at its end, or is another one. */
  of(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
    if (events !== this.#source) {
      this.#source = events;
      this.#seen = 0;
      this.#shown = [];
    }
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen];
      if (event && this.#fits(event)) this.#shown.push(event);
    }
    return this.#shown;
  }

  #fits({ type }: LoggedEvent): boolean {
    const { type: part, hasDeltas } = this.#filter;
    return (hasDeltas || !type.endsWith("_DELTA")) && type.includes(part);
  }
}
