// The pages of MCP servers (MCP Apps), for the apps that show them.
import type { UiResource } from "../../agent/mcp/read-ui-resource.ts";
import { uiContentPolicy, uiPermissionsPolicy } from "../../agent/mcp/ui-policy.ts";
import { McpResourceQuerySchema } from "../../protocol/mcp/mcp-ui.ts";
import { UI_MEDIA_TYPE } from "../../protocol/mcp/ui-resources.ts";
import type { RouteHandler } from "../app-env.ts";
import { readMcpResource } from "./read-mcp-resource.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { readQuery } from "../requests/read-query.ts";

/** Opened as a page of its own it runs with an opaque origin; what is no page is saved, and never shown. */
const readSessionMcpResource: RouteHandler = async (context) => {
  const query = readQuery(context, McpResourceQuerySchema);
  const server = await actOnSession(context, "readMcpServer", query.server_id);
  return readMcpResource(context, query, server, toAnswer);
};

function toAnswer({ content, isPage, ui }: UiResource): Response {
  return new Response(content, {
    headers: isPage
      ? {
          "Content-Type": `${UI_MEDIA_TYPE};charset=utf-8`,
          "Content-Security-Policy": uiContentPolicy(ui["csp"]),
          "Permissions-Policy": uiPermissionsPolicy(ui["permissions"]),
          "Cross-Origin-Resource-Policy": "same-origin",
        }
      : {
          "Content-Type": "application/octet-stream",
          "Content-Disposition": "attachment",
          "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
          "Cross-Origin-Resource-Policy": "same-origin",
        },
  });
}

export const mcpResourceRoutes = { readSessionMcpResource };
