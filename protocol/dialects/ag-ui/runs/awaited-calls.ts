import type { Announcement } from "./waiting-outcome.ts";

/** The calls of a reply that wait for an answer, or have waited. */
export class AwaitedCalls {
  readonly #announcements = new Map<string, Announcement>();
  readonly #answered = new Set<string>();

  /** By call id: the event that asked. */
  get announcements(): ReadonlyMap<string, Announcement> {
    return this.#announcements;
  }

  /** Calls whose answer has arrived; that of an external one is being added to the message. */
  get answered(): ReadonlySet<string> {
    return this.#answered;
  }

  announce(event: Announcement): void {
    for (const { id } of event.tool_calls) {
      this.#announcements.set(id, event);
      // A call may ask again.
      this.#answered.delete(id);
    }
  }

  answer(callIds: readonly string[]): void {
    for (const id of callIds) this.#answered.add(id);
  }
}
