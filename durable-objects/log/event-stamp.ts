// Adds the log's members to an event: id, seq, time. Runs for every delta, so it makes no UUID, and one date string a
// second.
import { eventId } from "../../protocol/ids.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";

export function stampEvent(draft: EventDraft, seq: number, created_at: string): LoggedEvent {
  return {
    id: eventId(seq),
    created_at,
    metadata: {},
    visibility: "user",
    ...draft,
    seq,
  } as LoggedEvent;
}

/** UTC ISO 8601 with milliseconds; the part down to the second is made once a second. */
export class TimestampClock {
  #second = -1;
  #prefix = "";

  now(): string {
    const nowMs = Date.now();
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#prefix = new Date(second * 1_000).toISOString().slice(0, "2026-01-01T00:00:00".length);
    }
    return `${this.#prefix}.${String(nowMs % 1_000).padStart(3, "0")}Z`;
  }
}
