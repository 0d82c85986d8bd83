// The session's current reply in memory. It follows the log: `REPLY_START` makes a new one, and every later event is
// folded into it.
import type { LoggedEvent } from "../../protocol/events.ts";
import { ActiveReply } from "./active-reply.ts";

export class CurrentReply {
  #active: ActiveReply | null = null;

  /** The reply that runs or waits, or whose end is not on disk yet. */
  get active(): ActiveReply | null {
    return this.#active;
  }

  /** The reply that runs or waits. */
  get open(): ActiveReply | null {
    return this.#active && !this.#active.isOver ? this.#active : null;
  }

  get isRunning(): boolean {
    return this.#active?.isRunning ?? false;
  }

  /** Makes a reply that an earlier incarnation of the object left open the current one. */
  restore(reply: ActiveReply): void {
    this.#active = reply;
  }

  logged(event: LoggedEvent): void {
    if (event.type !== "REPLY_START") {
      this.#active?.logged(event);
      return;
    }
    const row = {
      id: event.reply_id,
      epoch: 1,
      status: "running",
      start_cursor: event.seq - 1,
      end_seq: null,
    } as const;
    this.#active = new ActiveReply(row, event);
  }

  committed(seq: number): void {
    this.#active?.committed(seq);
  }

  /** @returns Whether the reply's end, or its waiting, has become durable with this seq. */
  durableUpTo(seq: number): boolean {
    const active = this.#active;
    active?.durableUpTo(seq);
    // Replies that have ended are read from the tables: an idle session does not keep its last reply.
    if (active?.isOver && active.isSettled) this.#active = null;
    return active?.endSeq === seq;
  }
}
