// The internal requests for answers of unbounded size, which go over `fetch` in place of RPC. The Worker has validated
// them.
import type { EventsRequest, JavaEventsRequest, PageRequest } from "./page-requests.ts";

export type ReadRequest =
  | (PageRequest & { readonly what: "messages" })
  | { readonly what: "message"; readonly id: string }
  | (EventsRequest & { readonly what: "events" })
  | (JavaEventsRequest & { readonly what: "java-events" })
  | { readonly what: "state" }
  | { readonly what: "context" };

const READ_URL = "https://session/read";

export function readUrl(request: ReadRequest): string {
  return `${READ_URL}?request=${encodeURIComponent(JSON.stringify(request))}`;
}

/** Null for a request of another kind. */
export function parseReadUrl(url: string): ReadRequest | null {
  if (!url.startsWith(READ_URL)) return null;
  return JSON.parse(new URL(url).searchParams.get("request") ?? "null") as ReadRequest | null;
}
