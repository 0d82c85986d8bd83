// MCP servers, their tools, and calls of one tool alone.
import type { Route } from "../requests/route.ts";

export const MCP_ROUTES = [
  {
    name: "createMcpServer",
    method: "POST",
    path: "/v1/mcp-servers",
    access: "agents:write",
    keeps_keys: "database",
    body: "json",
  },
  {
    name: "listMcpServers",
    method: "GET",
    path: "/v1/mcp-servers",
    access: "agents:read",
    body: "none",
  },
  {
    name: "readMcpServer",
    method: "GET",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "updateMcpServer",
    method: "PATCH",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:write",
    body: "json",
  },
  {
    name: "deleteMcpServer",
    method: "DELETE",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:write",
    body: "none",
  },
  {
    name: "listMcpTools",
    method: "GET",
    path: "/v1/mcp-servers/{mcp_server_id}/tools",
    access: "tools:call",
    body: "none",
  },
  {
    name: "callMcpTool",
    method: "POST",
    path: "/v1/mcp-servers/{mcp_server_id}/tools/{mcp_tool_name}/call",
    access: "tools:call",
    keeps_keys: "database",
    body: "json",
  },
] as const satisfies readonly Route[];
