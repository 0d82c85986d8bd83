// Routes on MCP servers, their tools and their pages.
import {
  McpServerPageSchema,
  McpServerCreateSchema,
  McpServerSchema,
  McpServerUpdateSchema,
  McpToolCallSchema,
  McpToolListQuerySchema,
  McpToolListSchema,
  McpToolResultSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { McpResourceQuerySchema } from "./mcp-ui.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { MCP_WORDS } from "./words.ts";
import { MCP_EXAMPLES } from "./examples.ts";
import { CONNECTION_ROUTES } from "./connection-routes.ts";

const MCP_ROUTES = [
  {
    name: "createMcpServer",
    method: "POST",
    path: "/v1/mcp-servers",
    access: "agents:write",
    keeps_keys: "database",
    body: "json",
    tag: "MCP servers",
    summary: "Create an MCP server",
    description: [
      "A server that speaks streamable HTTP, of any version from 2024-11-05 to 2026-07-28. Nothing is sent to it yet.",
      "Its name is unique in the tenant, because it is a part of its tools' names.",
    ].join(" "),
    request: { json: McpServerCreateSchema, examples: ["newMcpServer"] },
    answers: {
      201: {
        description: "The server.",
        json: McpServerSchema,
        headers: ["Location"],
        examples: ["mcpServer"],
      },
    },
    errors: ["conflict", "quota_exceeded"],
  },

  {
    name: "listMcpServers",
    method: "GET",
    path: "/v1/mcp-servers",
    access: "agents:read",
    body: "none",
    tag: "MCP servers",
    summary: "List MCP servers",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of servers.", json: McpServerPageSchema } },
  },

  {
    name: "readMcpServer",
    method: "GET",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:read",
    body: "none",
    tag: "MCP servers",
    summary: "Get an MCP server",
    description: "How it is reached.",
    answers: { 200: { description: "The server.", json: McpServerSchema } },
  },

  {
    name: "updateMcpServer",
    method: "PATCH",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:write",
    body: "json",
    tag: "MCP servers",
    summary: "Update an MCP server",
    description:
      "Members that are left out do not change; null takes headers or a credential away. Replies that begin or continue afterwards use the new settings; what was known of the server is forgotten.",
    request: { json: McpServerUpdateSchema, examples: ["movedMcpServer"] },
    answers: { 200: { description: "The server as it is now.", json: McpServerSchema } },
    errors: ["conflict"],
  },

  {
    name: "deleteMcpServer",
    method: "DELETE",
    path: "/v1/mcp-servers/{mcp_server_id}",
    access: "agents:write",
    body: "none",
    tag: "MCP servers",
    summary: "Delete an MCP server",
    description: "Agents that name it go on without its tools, and their models are told so.",
    answers: { 204: { description: "The server is removed." } },
  },

  {
    name: "listMcpTools",
    method: "GET",
    path: "/v1/mcp-servers/{mcp_server_id}/tools",
    access: "tools:call",
    body: "none",
    tag: "MCP servers",
    summary: "List the tools of an MCP server",
    description: [
      "As the server lists them, or has listed them a short time ago. A tool that cannot be used says why, and so does",
      "`left_out` of what the server lists beyond 256 tools and 1 MB. A server whose list could not be read is not asked",
      "again for half a minute (`mcp_failed`, with the reason), unless `refresh` is `true`.",
    ].join(" "),
    query: McpToolListQuerySchema,
    answers: {
      200: { description: "Its tools.", json: McpToolListSchema, examples: ["mcpToolList"] },
    },
    errors: ["mcp_failed", "quota_exceeded"],
  },

  {
    name: "callMcpTool",
    method: "POST",
    path: "/v1/mcp-servers/{mcp_server_id}/tools/{mcp_tool_name}/call",
    access: "tools:call",
    keeps_keys: "database",
    body: "json",
    tag: "MCP servers",
    summary: "Call one tool of an MCP server",
    description: [
      "Without an agent, a model or a session, and without permission rules: the key's scope decides.",
      "The call counts as a running reply meanwhile, and the audit has it without its input.",
      "The input has to fit the tool's schema. With an `Idempotency-Key` the tool is called once: a repeated request gets",
      "the first answer, `idempotency_in_flight` while the call runs, and `mcp_failed` where nobody knows whether it ran.",
    ].join(" "),
    request: { json: McpToolCallSchema, examples: ["mcpToolCall"] },
    answers: {
      200: {
        description: "What the tool gave, also when it says that it failed.",
        json: McpToolResultSchema,
        examples: ["mcpToolResult"],
      },
    },
    errors: ["conflict", "mcp_failed", "quota_exceeded"],
  },

  {
    name: "readSessionMcpResource",
    method: "GET",
    path: "/v1/sessions/{session_id}/mcp-resources",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Sessions",
    summary: "Get a page of an MCP server",
    description: [
      "A resource of the scheme `ui` (MCP Apps), which shows the result of a tool: `metadata.mcp.ui.resource_uri` of a result",
      "names it. It is read from the server with the agent's credential. `Content-Security-Policy` is made of the origins that",
      "the server declares, and of nothing else of it; `Permissions-Policy` of the features that it asks for. Both are the",
      "caller's to apply when it shows the page in a frame. What is no page is a download. It counts as a running reply",
      "while the server is asked.",
    ].join(" "),
    query: McpResourceQuerySchema,
    answers: {
      200: { description: "The page, or another resource as a download.", other: "*/*" },
    },
    errors: ["mcp_failed", "quota_exceeded"],
  },
] as const satisfies readonly DocumentedRoute[];

export const MCP_CONTRACT = {
  tags: {
    "MCP servers": "Servers of the Model Context Protocol, whose tools agents and programs use.",
    Connections: "Grants at MCP servers, of the tenant or of its end users, by sign-in with OAuth.",
  },
  routes: [...MCP_ROUTES, ...CONNECTION_ROUTES],
  pathParameters: {
    mcp_server_id: { form: "mcp", description: "The MCP server." },
    mcp_tool_name: { form: "any", description: "The tool, by the server's own name." },
    connection_id: { form: "con", description: "The connection." },
    issuer_hash: {
      form: "hash",
      description: "SHA-256 of the authorization server's issuer, in hex.",
    },
  },
  queryParameters: {
    refresh:
      "`true` asks the server, whatever is kept of it: its list, or that it could not be read a moment ago.",
    server_id: "The MCP server, which the session's agent names.",
    uri: "The page's address, which begins with `ui://`.",
    mcp_server_id: "Only those at this MCP server.",
  },
  fields: MCP_WORDS,
  examples: MCP_EXAMPLES,
} as const satisfies Contract;
