// The internal requests for answers of unbounded size, which go over `fetch` in place of RPC. The Worker has validated
// them.
import type { DialectCursor, DialectPage } from "../../protocol/dialects/dialects.ts";
import type { EventsExtent, PageRequest } from "./page-requests.ts";
import { streamCursorText } from "./stream-request.ts";

export interface EventsPageRequest extends EventsExtent {
  /** The dialect's page. */
  readonly what: DialectPage;
  /** A seq or, for a dialect, the text of a cursor. */
  readonly after: number | string;
}

export type ReadRequest =
  | (PageRequest & { readonly what: "messages" })
  | { readonly what: "message"; readonly id: string }
  | EventsPageRequest
  | { readonly what: "state" }
  | { readonly what: "context" };

const READ_URL = "https://session/read";

export function readUrl(request: ReadRequest): string {
  return `${READ_URL}?request=${encodeURIComponent(JSON.stringify(request))}`;
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
