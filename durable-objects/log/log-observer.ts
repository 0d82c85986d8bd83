// What the log's users say to it, and hear from it.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { StagedValue } from "../bytes/parts.ts";
import type { PreparedEvent } from "./prepared-event.ts";

/** Hears of every event in order. Must not throw, but for `committing`, which then fails the log. */
export interface LogObserver {
  logged(event: LoggedEvent): void;
  /** Part of the transaction of events that are no deltas: what is folded from them is written with them. */
  committing(events: readonly LoggedEvent[]): void;
  /** Everything up to `seq` is written, not yet on disk for certain. */
  committed(seq: number): void;
  /** Everything up to `seq` is on disk and visible. */
  durable(seq: number): void;
  /** A write failed, so memory and disk no longer agree: the object has to start anew. */
  failed(error: unknown): void;
}

export interface AppendOptions {
  /** Written in the transaction of the events. */
  readonly write?: (events: readonly LoggedEvent[]) => void;
  /** Write the high-water mark back: nothing follows soon, so a gap need not be left. */
  readonly isLast?: boolean;
  /** The first of the events, which are the next ones, and how much of their row is there. */
  readonly staged?: { readonly events: readonly PreparedEvent[]; readonly row: StagedValue };
}
