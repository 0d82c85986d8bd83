import type { McpResourceQuery } from "../../../protocol/mcp/mcp-ui.ts";
import type { RequestOptions } from "../../transport/api-request.ts";
import type { Transport } from "../../transport/transport.ts";

/** A page of an MCP server. Show it in a frame with `sandbox="allow-scripts"` and its policy. */
export interface McpPage {
  readonly html: string;
  /** `Content-Security-Policy`, made of the origins that the server declares. */
  readonly contentPolicy: string;
  /** `Permissions-Policy`. */
  readonly permissionsPolicy: string;
}

/** Null for content that is no page, which must not be shown. */
export async function readMcpPage(
  transport: Transport,
  sessionId: string,
  query: McpResourceQuery,
  options?: RequestOptions,
): Promise<McpPage | null> {
  return transport.call({
    ...options,
    method: "GET",
    path: ["sessions", sessionId, "mcp-resources"],
    query,
    read: async (response) => {
      const type = response.headers.get("content-type") ?? "";
      const html = await response.text();
      const of = (name: string) => response.headers.get(name) ?? "";
      return type.startsWith("text/html")
        ? {
            html,
            contentPolicy: of("content-security-policy"),
            permissionsPolicy: of("permissions-policy"),
          }
        : null;
    },
  });
}
