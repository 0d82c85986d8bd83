// The interfaces of the log's users: the observer that follows it, and the options of an append.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { StagedValue } from "../bytes/parts.ts";
import type { PreparedEvent } from "./prepared-event.ts";

/** Called for every event in order. Must not throw, but for `committing`, whose error fails the log. */
export interface LogObserver {
  logged(event: LoggedEvent): void;
  /** Part of the transaction of events that are no deltas: writes state that is folded from them. */
  committing(events: readonly LoggedEvent[]): void;
  /** Everything up to `seq` is written, but maybe not on disk yet. */
  committed(seq: number): void;
  /** Everything up to `seq` is on disk and visible. */
  durable(seq: number): void;
  /** A write failed, so memory and disk differ: the object has to restart. */
  failed(error: unknown): void;
}

export interface AppendOptions {
  /** Written in the transaction of the events. */
  readonly write?: (events: readonly LoggedEvent[]) => void;
  /** Sets the high-water mark to the last seq: no event follows soon, so that no seqs are skipped after a restart. */
  readonly isLast?: boolean;
  /**
   * When the events need not be on disk at once, nor be shown: others follow at once, usually, and share their row
   * ("with_next"); or within milliseconds, and have rows of their own ("soon").
   */
  readonly commit?: "with_next" | "soon";
  /** The first of the events, as prepared, and the part of their row that is on disk already. */
  readonly staged?: { readonly events: readonly PreparedEvent[]; readonly row: StagedValue };
}
