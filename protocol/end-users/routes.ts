// Routes on an end user as a whole.
import { EXAMPLE_TIME } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { EndUserExportQuerySchema, EndUserRemovalSchema } from "./contract.ts";
import { END_USER_WORDS } from "./words.ts";

const END_USER_ROUTES = [
  {
    name: "deleteEndUser",
    method: "DELETE",
    path: "/v1/end-users/{end_user_id}",
    access: "sessions:write",
    body: "none",
    tag: "End users",
    summary: "Erase an end user",
    description:
      "All that the tenant holds of an end user is erased in the background: sessions with their conversations, what they have said in rooms, files, memory stores, connections to MCP servers, and the sums of usage by end user. The answer is the same for an end user that is not known. The same request again begins anew, with what has come meanwhile.",
    answers: {
      202: {
        description: "The removal has begun.",
        json: EndUserRemovalSchema,
        examples: ["endUserRemoval"],
      },
    },
  },
  {
    name: "exportEndUser",
    method: "GET",
    path: "/v1/end-users/{end_user_id}/export",
    access: "sessions:read",
    body: "none",
    tag: "End users",
    summary: "Export an end user",
    description:
      "All that the tenant holds of an end user, as JSON lines (`EndUserExportLine`): connections, sums of usage of the last 366 days, triggers for this end user alone and memories with their versions, the rooms in which the end user takes part with what they have said there, then each session, newest first, with its tasks of A2A, messages and files. The key needs `files:read` and `memories:read` as well, and `triggers:read` where there are such triggers. The last line is of type `end`: its `next_page` is the `page` of the next request, or null. An answer without such a line was cut off.",
    query: EndUserExportQuerySchema,
    queryDescriptions: { page: "`next_page` of the last line of the page before." },
    answers: { 200: { description: "JSON lines.", other: "application/x-ndjson" } },
  },
] as const satisfies readonly DocumentedRoute[];

export const END_USER_CONTRACT = {
  tags: {
    "End users": "The people who talk to a tenant's agents: erase one, or export what there is.",
  },
  routes: END_USER_ROUTES,
  pathParameters: {
    end_user_id: {
      form: "chosen",
      description: "The tenant's own id of an end user, as its sessions were opened with.",
    },
  },
  fields: END_USER_WORDS,
  examples: {
    endUserRemoval: {
      summary: "A removal",
      value: { end_user_id: "user_482", requested_at: EXAMPLE_TIME },
    },
  },
} as const satisfies Contract;
