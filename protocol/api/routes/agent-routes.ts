// Agents and their versions.
import type { Route } from "./route.ts";

export const AGENT_ROUTES = [
  {
    name: "createAgent",
    method: "POST",
    path: "/v1/agents",
    access: "agents:write",
    keeps_keys: "database",
    validates_only: true,
    body: "json",
  },
  { name: "listAgents", method: "GET", path: "/v1/agents", access: "agents:read", body: "none" },
  {
    name: "readAgent",
    method: "GET",
    path: "/v1/agents/{agent_id}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "updateAgent",
    method: "PATCH",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "json",
  },
  {
    name: "deleteAgent",
    method: "DELETE",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "none",
  },
  {
    name: "listAgentVersions",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions",
    access: "agents:read",
    body: "none",
  },
  {
    name: "readAgentVersion",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions/{version}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "checkAgent",
    method: "POST",
    path: "/v1/agents/{agent_id}/check",
    access: "agents:write",
    body: "small",
  },
  { name: "listModels", method: "GET", path: "/v1/models", access: "agents:read", body: "none" },
  {
    name: "testAgentPermission",
    method: "POST",
    path: "/v1/agents/{agent_id}/permission-rules/test",
    access: "permission_rules:read",
    body: "json",
  },
  {
    name: "simulatePermission",
    method: "POST",
    path: "/v1/agents/{agent_id}/permission-rules/simulate",
    access: "permission_rules:read",
    body: "json",
  },
] as const satisfies readonly Route[];
