// The line in which replies of one tenant stand for their turns in an isolate. Decides alone: times are given, and who waits
// looks again by itself, since one request's promise cannot be kept by another one's.
import { TURN_ABANDONED_MS } from "../protocol/replies/limits.ts";

/** A place in the line. */
export interface TurnTicket {
  /** The turns that were taken when it last looked. */
  seen: number;
  /** When it looks again. */
  dueAtMs: number;
}

export class TurnLine {
  readonly #tickets: TurnTicket[] = [];
  #turns = 0;
  #takenAtMs = -Infinity;
  #held = { fromMs: Infinity, untilMs: -Infinity };

  /**
   * Stands in line. Null when nobody waits and the clock has gone on since the last turn, which it only does when the isolate
   * has served others: the turn is taken.
   */
  join(nowMs: number): TurnTicket | null {
    if (this.#tickets.length === 0 && nowMs !== this.#takenAtMs && !this.#isHeld(nowMs)) {
      this.#take(nowMs);
      return null;
    }
    const ticket = { seen: this.#turns, dueAtMs: nowMs + 1 };
    this.#tickets.push(ticket);
    return ticket;
  }

  /**
   * Whether it is the ticket's turn: it is the first, and nobody has taken one since it last looked, so that others were served
   * in between. One before it that has not looked when it was due has gone with its object. One that was taken for gone and
   * was not does not wait any longer.
   * @returns the milliseconds after which it looks again; null when the turn is taken.
   */
  look(ticket: TurnTicket, nowMs: number): number | null {
    this.#dropAbandoned(ticket, nowMs);
    const place = this.#tickets.indexOf(ticket);
    const isFree = ticket.seen === this.#turns && !this.#isHeld(nowMs);
    if (place <= 0 && (place < 0 || isFree)) {
      this.leave(ticket);
      this.#take(nowMs);
      return null;
    }
    ticket.seen = this.#turns;
    // Each one before it takes a millisecond at least.
    const waitMs = Math.max(place, 1);
    ticket.dueAtMs = nowMs + waitMs;
    return waitMs;
  }

  /** Gives the place up. */
  leave(ticket: TurnTicket): void {
    const place = this.#tickets.indexOf(ticket);
    if (place >= 0) this.#tickets.splice(place, 1);
  }

  /** Keeps the turn that was just taken: the next is so many milliseconds later, or when it is given back. */
  hold(nowMs: number, forMs: number): { release(): void } {
    const held = { fromMs: nowMs, untilMs: nowMs + forMs };
    this.#held = held;
    return { release: () => void (held.untilMs = -Infinity) };
  }

  /** Not by a hold of a time to come: the clock was set back. */
  #isHeld(nowMs: number): boolean {
    return nowMs >= this.#held.fromMs && nowMs < this.#held.untilMs;
  }

  #take(nowMs: number): void {
    this.#turns += 1;
    this.#takenAtMs = nowMs;
  }

  #dropAbandoned(ticket: TurnTicket, nowMs: number): void {
    for (let [first] = this.#tickets; first && first !== ticket; [first] = this.#tickets) {
      // Later than it can have said: the clock was set back.
      first.dueAtMs = Math.min(first.dueAtMs, nowMs + this.#tickets.length);
      if (nowMs - first.dueAtMs < TURN_ABANDONED_MS) return;
      this.#tickets.shift();
    }
  }
}
