// Routes on a session's state as a whole: its export, its import, and the way back to an earlier one.
import type { DocumentedRoute } from "../requests/contract.ts";
import { RestoredSchema, RestoreSchema, StateQuerySchema } from "./restore.ts";
import { AgentStateInputSchema, AgentStateSchema } from "./session-state.ts";

export const STATE_ROUTES = [
  {
    name: "readState",
    method: "GET",
    path: "/v1/sessions/{session_id}/state",
    access: "sessions:read",
    body: "none",
    tag: "Sessions",
    summary: "Export a session as an AgentState",
    description: [
      "AgentScope's format of a session: the summary of its context and the messages after it, of which the newest fit",
      "into 8 MB, and the session's own permission. The agent's rules are not included. Needs `permission_rules:read` too.",
    ].join(" "),
    answers: {
      200: { description: "The state.", json: AgentStateSchema, examples: ["agentState"] },
    },
  },

  {
    name: "writeState",
    method: "PUT",
    path: "/v1/sessions/{session_id}/state",
    access: "sessions:write",
    body: "media",
    tag: "Sessions",
    summary: "Import an AgentState",
    description: [
      "Into a session without messages; with `?replace=true` in place of what the session has, which stays in the log. With",
      "`If-Match` it replaces the session at that newest cursor alone; replacing needs `sessions:read` and",
      "`permission_rules:read` too. Older names are accepted. A summary becomes that of the context, one of more than 20,000 characters and its media",
      "the first message; unfinished calls get an interrupted result; what belongs to an agent's process (caches, middleware) is not kept. Permission that differs from",
      "the session's needs `permission_rules:write` too. The same state again changes nothing.",
    ].join(" "),
    query: StateQuerySchema,
    headers: ["If-Match"],
    request: { json: AgentStateInputSchema, examples: ["broughtState"] },
    answers: {
      200: { description: "The state as the session has it now.", json: AgentStateSchema },
    },
    errors: ["reply_running", "reply_awaiting", "session_in_room", "conflict", "version_mismatch"],
  },

  {
    name: "restoreSession",
    method: "POST",
    path: "/v1/sessions/{session_id}/restore",
    access: "sessions:write",
    keeps_keys: "session",
    body: "small",
    tag: "Sessions",
    summary: "Go on from an earlier position",
    description: [
      "The conversation is again that of the messages that were complete at the position, with the summary, plans, shared",
      "state and tool groups that were there. The log goes on, so all cursors stay valid, and a later restore can bring",
      "back what this one takes out. Permission, usage and the records of replies stay as they are.",
    ].join(" "),
    headers: ["If-Match"],
    request: { json: RestoreSchema, examples: ["restore"] },
    answers: {
      200: { description: "The conversation as it is now.", json: RestoredSchema },
    },
    errors: [
      "cursor_ahead",
      "reply_running",
      "reply_awaiting",
      "session_in_room",
      "conflict",
      "version_mismatch",
    ],
  },
] as const satisfies readonly DocumentedRoute[];
