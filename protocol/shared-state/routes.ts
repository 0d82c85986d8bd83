// Routes on the shared state of a session.
import { JsonPatchSchema, SharedStateSchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { SHARED_STATE_WORDS } from "./words.ts";

const SHARED_STATE_ROUTES = [
  {
    name: "readSharedState",
    method: "GET",
    path: "/v1/sessions/{session_id}/shared-state",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Sessions",
    summary: "Get the shared state",
    description:
      "With its version, also as `ETag`, and its stream position: events named `shared_state_updated` after `cursor` have the later changes.",
    answers: {
      200: {
        description: "The state.",
        json: SharedStateSchema,
        headers: ["ETag"],
        examples: ["sharedState"],
      },
    },
  },

  {
    name: "patchSharedState",
    method: "PATCH",
    path: "/v1/sessions/{session_id}/shared-state",
    access: "replies:write",
    verb: "reply",
    body: "json",
    tag: "Sessions",
    summary: "Update the shared state",
    description: [
      "Applies a JSON Patch as a whole or not at all, at any time; the model sees the state before its next call. The",
      "change is in the log as `CUSTOM shared_state_updated`. With `If-Match` it is applied only at that version. A",
      "patch that changes nothing creates no version. Needs the right to read too: the scope",
      "`sessions:read`, or the verb `read`.",
    ].join(" "),
    headers: ["If-Match"],
    request: { json: JsonPatchSchema, examples: ["statePatch"] },
    answers: {
      200: { description: "The state after it.", json: SharedStateSchema, headers: ["ETag"] },
    },
    errors: ["state_conflict", "version_mismatch", "state_invalid"],
  },
] as const satisfies readonly DocumentedRoute[];

export const SHARED_STATE_CONTRACT = {
  routes: SHARED_STATE_ROUTES,
  fields: SHARED_STATE_WORDS,
  examples: {
    sharedState: {
      summary: "A form that the app and the agent fill in",
      value: { state: { order_id: "A-1001", items: ["lamp"] }, version: 2, cursor: 41 },
    },
    statePatch: {
      summary: "One more item, if the order is still the same",
      value: [
        { op: "test", path: "/order_id", value: "A-1001" },
        { op: "add", path: "/items/-", value: "bulb" },
      ],
    },
  },
} as const satisfies Contract;
