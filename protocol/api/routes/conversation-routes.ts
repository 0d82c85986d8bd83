// Routes on a conversation as a whole: observed messages, forks, import and export, shared state, plans, groups of tools, and what the model is
// sent of it.
import type { Route } from "./route.ts";

export const CONVERSATION_ROUTES = [
  {
    name: "observe",
    method: "POST",
    path: "/v1/sessions/{session_id}/observe",
    access: "replies:write",
    keeps_keys: "session",
    body: "media",
  },
  {
    name: "forkSession",
    method: "POST",
    path: "/v1/sessions/{session_id}/fork",
    access: "sessions:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "readState",
    method: "GET",
    path: "/v1/sessions/{session_id}/state",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "writeState",
    method: "PUT",
    path: "/v1/sessions/{session_id}/state",
    access: "sessions:write",
    body: "media",
  },
  {
    name: "readContext",
    method: "GET",
    path: "/v1/sessions/{session_id}/context",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "compress",
    method: "POST",
    path: "/v1/sessions/{session_id}/compress",
    access: "replies:write",
    keeps_keys: "session",
    body: "small",
  },
  {
    name: "readSharedState",
    method: "GET",
    path: "/v1/sessions/{session_id}/shared-state",
    access: "sessions:read",
    verb: "read",
    body: "none",
  },
  {
    name: "patchSharedState",
    method: "PATCH",
    path: "/v1/sessions/{session_id}/shared-state",
    access: "replies:write",
    verb: "reply",
    body: "json",
  },
  {
    name: "readPlan",
    method: "GET",
    path: "/v1/sessions/{session_id}/plan",
    access: "sessions:read",
    verb: "read",
    body: "none",
  },
  {
    name: "writePlan",
    method: "PUT",
    path: "/v1/sessions/{session_id}/plan",
    access: "replies:write",
    verb: "reply",
    body: "json",
  },
] as const satisfies readonly Route[];
