// Pages of MCP servers, read by way of a session.
import { McpResourceQuerySchema } from "../../../protocol/mcp/mcp-ui.ts";
import type { Resource } from "../../resource.ts";

export const MCP_RESOURCES = {
  operations: {
    readSessionMcpResource: {
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
  },
  queryParameters: {
    server_id: "The MCP server, which the session's agent names.",
    uri: "The page's address, which begins with `ui://`.",
  },
} as const satisfies Resource;
