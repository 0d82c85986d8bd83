// The addresses of an agent's MCP endpoint and of its metadata (RFC 9728).
import { RESOURCE_METADATA_PATH } from "../../protocol/agent-mcp/routes.ts";
import type { AppContext } from "../app-env.ts";
import { publicOrigin } from "../requests/public-origin.ts";

interface McpAddress {
  /** The endpoint itself: the resource, and the default audience of tokens for it. */
  readonly resource: string;
  readonly metadata: string;
}

/** @throws HttpError `unavailable` when the platform does not know its own origin. */
export function mcpAddress(context: AppContext, agentId: string): McpAddress {
  const origin = publicOrigin(context);
  const path = `/v1/agents/${agentId}/mcp`;
  return {
    resource: `${origin}${path}`,
    metadata: `${origin}${RESOURCE_METADATA_PATH}${path}`,
  };
}
