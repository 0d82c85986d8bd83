// Routes on the search over sessions. The search itself is a filter of the list of sessions.
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { SessionSearchSchema, SessionSearchUpdateSchema } from "./contract.ts";
import { SEARCH_WORDS } from "./words.ts";

const SEARCH_ROUTES = [
  {
    name: "readSessionSearch",
    method: "GET",
    path: "/v1/session-search",
    access: "sessions:read",
    body: "none",
    tag: "Sessions",
    summary: "Get the setting of the search",
    description:
      "Whether the tenant's sessions can be searched, and how large the index of their titles and first messages is.",
    answers: {
      200: {
        description: "The setting.",
        json: SessionSearchSchema,
        examples: ["sessionSearch"],
      },
    },
  },
  {
    name: "updateSessionSearch",
    method: "PATCH",
    path: "/v1/session-search",
    access: "agents:write",
    body: "small",
    tag: "Sessions",
    summary: "Turn the search on or off",
    description:
      "Off erases the index, and a list with `search` is answered with 409 `search_off`. On, which it is at first, the next search makes the index anew. Repeat a request that has failed: the index is then erased.",
    request: { json: SessionSearchUpdateSchema, examples: ["searchOff"] },
    answers: {
      200: {
        description: "The setting.",
        json: SessionSearchSchema,
        examples: ["sessionSearchOff"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const SEARCH_CONTRACT = {
  routes: SEARCH_ROUTES,
  fields: SEARCH_WORDS,
  examples: {
    sessionSearch: {
      summary: "A search that is on",
      value: { enabled: true, stored_bytes: 245_760 },
    },
    searchOff: { summary: "Turn it off", value: { enabled: false } },
    sessionSearchOff: {
      summary: "A search that is off",
      value: { enabled: false, stored_bytes: 0 },
    },
  },
} as const satisfies Contract;
