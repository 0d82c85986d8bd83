// The internal requests for what may be large: the Worker has checked them. Types only.
import type { EventsRequest, JavaEventsRequest, PageRequest } from "./page-requests.ts";

export type ReadRequest =
  | (PageRequest & { readonly what: "messages" })
  | { readonly what: "message"; readonly id: string }
  | (EventsRequest & { readonly what: "events" })
  | (JavaEventsRequest & { readonly what: "java-events" })
  | { readonly what: "state" };
