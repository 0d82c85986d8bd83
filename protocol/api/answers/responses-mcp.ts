// Response schemas of MCP servers, for the OpenAPI document.
import { ConnectionSchema } from "../mcp/connections.ts";
import { McpServerSchema } from "../mcp/mcp-servers.ts";
import { pageOf } from "./responses.ts";

export const ConnectionPageSchema = pageOf(ConnectionSchema);
export const McpServerPageSchema = pageOf(McpServerSchema);
