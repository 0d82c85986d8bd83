// Agents as MCP servers, and the issuers of the tokens with which end users come.
import type { Route } from "../requests/route.ts";

/** The path of RFC 9728's metadata of a resource is this, then the resource's own path. */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

export const AGENT_MCP_ROUTES = [
  {
    name: "callAgentMcp",
    method: "POST",
    path: "/v1/agents/{agent_id}/mcp",
    access: "replies:write",
    takes_issued_tokens: true,
    body: "json",
  },
  {
    name: "resumeAgentMcp",
    method: "GET",
    path: "/v1/agents/{agent_id}/mcp",
    access: "replies:write",
    takes_issued_tokens: true,
    body: "none",
  },
  {
    name: "readResourceMetadata",
    method: "GET",
    path: `${RESOURCE_METADATA_PATH}/v1/agents/{agent_id}/mcp`,
    access: "public",
    is_limited: true,
    body: "none",
  },

  {
    name: "createTokenIssuer",
    method: "POST",
    path: "/v1/token-issuers",
    access: "keys:write",
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "listTokenIssuers",
    method: "GET",
    path: "/v1/token-issuers",
    access: "keys:read",
    body: "none",
  },
  {
    name: "readTokenIssuer",
    method: "GET",
    path: "/v1/token-issuers/{token_issuer_id}",
    access: "keys:read",
    body: "none",
  },
  {
    name: "deleteTokenIssuer",
    method: "DELETE",
    path: "/v1/token-issuers/{token_issuer_id}",
    access: "keys:write",
    body: "none",
  },
] as const satisfies readonly Route[];
