// What the lists of a session are asked with, and their pages. Types only.
import type { Page } from "../protocol/api/common.ts";
import type { JavaEvent } from "../protocol/dialects/to-agentscope-java-event.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";

export interface PageRequest {
  /** A `next_page` of this list, or undefined for its first page. */
  readonly page?: string;
  readonly limit: number;
}

export type MessagesPage = Page<Msg> & { readonly cursor: number };
export type EventsPage = Page<LoggedEvent> & {
  /** The position after this page: give it as `after`. */
  readonly cursor: number;
};

export interface EventsRequest {
  /** Events above this seq. */
  readonly after: number;
  readonly limit: number;
  readonly reply_id?: string;
}

export interface JavaEventsRequest extends Omit<EventsRequest, "after"> {
  /** A seq, or `<seq>.<k>` of one of the Java events of a seq. */
  readonly after: string;
}

export type JavaEventsPage = Omit<EventsPage, "data"> & { readonly data: readonly JavaEvent[] };
