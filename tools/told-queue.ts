// Events that a function tells while it works, on their way into the log.
import type { ToolChunk } from "../agent/ports.ts";
import { readToldEvents, type AnsweredEvent } from "../protocol/told/answered-events.ts";
import { MAX_TOLD_EVENTS_OF_CALL } from "../protocol/told/limits.ts";

export class ToldQueue {
  #waiting: AnsweredEvent[] = [];
  #count = 0;
  #note: string | null = null;
  #change = Promise.withResolvers<null>();

  /** A sentence on what was left out; null when there is nothing to say. */
  get note(): string | null {
    return this.#note;
  }

  /** Events of any shape: those that are not accepted are left out. */
  tell(events: readonly unknown[]): void {
    const told = readToldEvents(events);
    const room = MAX_TOLD_EVENTS_OF_CALL - this.#count;
    this.#note ??= told.note;
    if (told.events.length > room) this.#note ??= `more than ${MAX_TOLD_EVENTS_OF_CALL} events`;
    const taken = told.events.slice(0, room);
    this.#count += taken.length;
    this.#waiting.push(...taken);
    this.#change.resolve(null);
  }

  /** The chunks of a tool, with what is told meanwhile as soon as it is. */
  async *join(chunks: AsyncIterator<ToolChunk>): AsyncGenerator<ToolChunk, void> {
    let next = chunks.next();
    try {
      for (;;) {
        const first = await Promise.race([next, this.#change.promise]);
        const events = this.#waiting;
        this.#waiting = [];
        this.#change = Promise.withResolvers<null>();
        if (events.length > 0) yield { type: "told", events };
        if (first === null) continue;
        if (first.done) return;
        yield first.value;
        next = chunks.next();
      }
    } finally {
      // The consumer may have left while the function works: nobody waits for it then.
      next.catch(() => undefined);
      chunks.return?.(undefined).catch(() => undefined);
    }
  }
}
