// Human-in-the-loop routes: input events, permission rules, decisions, waiting confirmations.
import type { Route } from "../requests/route.ts";

export const PEOPLE_ROUTES = [
  {
    name: "postEvent",
    method: "POST",
    path: "/v1/sessions/{session_id}/events",
    access: "input_event",
    verb: "input_event",
    keeps_keys: "session",
    body: "media",
  },
  {
    name: "listPermissionRules",
    method: "GET",
    path: "/v1/sessions/{session_id}/permission-rules",
    access: "permission_rules:read",
    body: "none",
  },
  {
    name: "createPermissionRules",
    method: "POST",
    path: "/v1/sessions/{session_id}/permission-rules",
    access: "permission_rules:write",
    keeps_keys: "session",
    body: "json",
  },
  {
    name: "deletePermissionRule",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/permission-rules/{rule_id}",
    access: "permission_rules:write",
    body: "none",
  },
  {
    name: "testPermissionRules",
    method: "POST",
    path: "/v1/sessions/{session_id}/permission-rules/test",
    access: "permission_rules:read",
    body: "json",
  },
  {
    name: "listDecisions",
    method: "GET",
    path: "/v1/sessions/{session_id}/decisions",
    access: "permission_rules:read",
    body: "none",
  },
  {
    name: "listTenantDecisions",
    method: "GET",
    path: "/v1/decisions",
    access: "permission_rules:read",
    body: "none",
  },
  {
    name: "listConfirmations",
    method: "GET",
    path: "/v1/confirmations",
    access: "confirmations:read",
    body: "none",
  },
  {
    name: "answerConfirmations",
    method: "POST",
    path: "/v1/confirmations",
    access: "input_event",
    keeps_keys: "database",
    body: "media",
  },
] as const satisfies readonly Route[];
