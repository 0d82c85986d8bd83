// The internal requests for answers of unbounded size, which go over `fetch` in place of RPC. The Worker has validated
// them.
import {
  type DialectCursor,
  type DialectPage,
  LOG_FORMAT,
  type MessageFormat,
} from "../../protocol/dialects/dialects.ts";
import type { EventsExtent, PageRequest } from "./page-requests.ts";
import { streamCursorText } from "./stream-request.ts";

export interface EventsPageRequest extends EventsExtent {
  /** The dialect's page. */
  readonly what: DialectPage;
  /** A seq or, for a dialect, the text of a cursor. */
  readonly after: number | string;
}

/** The dialect of the messages that a request reads; left out for the native one. */
export interface FormRequest {
  readonly format?: MessageFormat;
}

/** Messages in another form have names of their own: an object of older code, which has none, then refuses them. */
type MessageRequest =
  | (PageRequest & FormRequest & { readonly what: "messages" | "formed-messages" })
  | (FormRequest & { readonly what: "message" | "formed-message"; readonly id: string });

export type ReadRequest =
  | MessageRequest
  | EventsPageRequest
  | { readonly what: "state" }
  | { readonly what: "context" };

const READ_URL = "https://session/read";

export function readUrl(request: ReadRequest): string {
  return `${READ_URL}?request=${encodeURIComponent(JSON.stringify(request))}`;
}

/** The request for a page of messages. */
export function messagesRequest(page: PageRequest & Required<FormRequest>): ReadRequest {
  const { format, ...place } = page;
  return format === LOG_FORMAT
    ? { what: "messages", ...place }
    : { what: "formed-messages", ...page };
}

/** The request for one message. */
export function messageRequest(id: string, format: MessageFormat): ReadRequest {
  return format === LOG_FORMAT ? { what: "message", id } : { what: "formed-message", id, format };
}

/** The request for a page of events. The log's own has a seq alone. */
export function eventsPageRequest(
  what: DialectPage,
  cursor: DialectCursor,
  extent: EventsExtent,
): EventsPageRequest {
  const after = what === "events" ? cursor.seq : streamCursorText(cursor);
  return { what, after, ...extent };
}

/** Null for a request of another kind. */
export function parseReadUrl(url: string): ReadRequest | null {
  if (!url.startsWith(READ_URL)) return null;
  return JSON.parse(new URL(url).searchParams.get("request") ?? "null") as ReadRequest | null;
}
