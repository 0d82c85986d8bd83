// The parameters of a session's lists. Types only.

export interface PageRequest {
  /** A `next_page` of this list, or undefined for its first page. */
  readonly page?: string;
  readonly limit: number;
}

export interface EventsRequest {
  /** Events above this seq. */
  readonly after: number;
  readonly limit: number;
  readonly reply_id?: string;
}

/** The extent of a page of events in any dialect. */
export type EventsExtent = Omit<EventsRequest, "after">;
