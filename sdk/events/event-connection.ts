// The types of one connection to a session's events, which streams and pages share.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { EventBodyOptions } from "../transport/read-event-body.ts";

export interface EventConnection<Item = LoggedEvent> {
  /** In order. May begin with events that the reader has received before. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;
  /** Set for a page: milliseconds to wait before the next one is requested. */
  readonly nextPageMs?: number;
}

/** The events that a connection asks for: of a session, or of a room. */
export interface EventRange {
  readonly of: readonly ["sessions" | "rooms", string];
  /** Only events of this reply. */
  readonly replyId?: string;
  /** Stays open between replies, in a room between discussions. */
  readonly isFollowing?: boolean;
}

export interface ConnectOptions extends Omit<EventBodyOptions, "stallMs"> {
  /** Events above this seq. */
  readonly after: number;
  readonly signal?: AbortSignal;
}
