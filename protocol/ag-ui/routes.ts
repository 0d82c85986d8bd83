// AG-UI endpoint of an agent. The session is found by the thread id in the body or the query.
import type { Route } from "../requests/route.ts";

export const AG_UI_ROUTES = [
  {
    name: "runAgUi",
    method: "POST",
    path: "/v1/agents/{agent_id}/ag-ui",
    access: "replies:write",
    verb: "reply",
    finds_session: true,
    body: "media",
  },
  {
    name: "joinAgUi",
    method: "GET",
    path: "/v1/agents/{agent_id}/ag-ui",
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    token_in_query: true,
    body: "none",
  },
  {
    name: "readAgUiCapabilities",
    method: "GET",
    path: "/v1/agents/{agent_id}/ag-ui/capabilities",
    access: "agents:read",
    verb: "read",
    finds_session: true,
    body: "none",
  },
] as const satisfies readonly Route[];
