// Response schemas of MCP servers, for the OpenAPI document.
import { ConnectionSchema } from "./connections.ts";
import { McpServerSchema } from "./contract.ts";
import { pageOf } from "../responses.ts";

export const ConnectionPageSchema = pageOf(ConnectionSchema);
export const McpServerPageSchema = pageOf(McpServerSchema);
