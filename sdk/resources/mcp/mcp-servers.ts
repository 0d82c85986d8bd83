import type {
  McpServer,
  McpServerCreateSchema,
  McpServerUpdateSchema,
  McpToolCall,
  McpToolList,
  McpToolResult,
} from "../../../protocol/mcp/contract.ts";
import { MAX_MCP_CALL_MS } from "../../../protocol/mcp/limits.ts";
import type { RequestOptions } from "../../transport/api-request.ts";
import type { InputOf } from "../../transport/input-of.ts";
import { collection, type Collection } from "../collection.ts";
import type { Transport } from "../../transport/transport.ts";

/** Servers of the Model Context Protocol, whose tools agents name by their server. */
export interface McpServers extends Collection<
  McpServer,
  InputOf<typeof McpServerCreateSchema>,
  McpServer,
  InputOf<typeof McpServerUpdateSchema>
> {
  /** The server's tools; `refresh` asks it, whatever is kept of it. */
  tools(
    id: string,
    query?: { readonly refresh?: boolean; readonly end_user_id?: string },
    options?: RequestOptions,
  ): Promise<McpToolList>;
  /**
   * Calls one tool by the server's own name, once: all attempts carry the same idempotency key.
   *
   * @throws {ApiError} `mcp_failed` when the server did not do what was asked, or nobody knows whether it did.
   */
  callTool(
    id: string,
    name: string,
    call?: McpToolCall,
    options?: RequestOptions,
  ): Promise<McpToolResult>;
}

export function mcpServersOf(transport: Transport): McpServers {
  return {
    ...collection(transport, "mcp-servers"),
    tools: (id, query, options) => transport.get(["mcp-servers", id, "tools"], options, query),
    callTool: (id, name, call = {}, options) =>
      transport.call({
        ...options,
        method: "POST",
        path: ["mcp-servers", id, "tools", name, "call"],
        body: call,
        timeoutMs: MAX_MCP_CALL_MS + transport.settings.timeoutMs,
      }),
  };
}
