// The grants that the platform has at MCP servers, and how a person's sign-in ends.
import type { Route } from "../requests/route.ts";

/**
 * The address that authorization servers send browsers back to, for a client that a tenant has registered itself.
 * Clients that the platform registers have an address below it for each issuer.
 */
export const OAUTH_CALLBACK_PATH = "/v1/oauth/callback";

export const CONNECTION_ROUTES = [
  {
    name: "showSignIn",
    method: "GET",
    path: OAUTH_CALLBACK_PATH,
    access: "public",
    is_limited: true,
    body: "none",
  },
  {
    name: "showIssuerSignIn",
    method: "GET",
    path: `${OAUTH_CALLBACK_PATH}/{issuer_hash}`,
    access: "public",
    is_limited: true,
    body: "none",
  },
  {
    name: "listConnections",
    method: "GET",
    path: "/v1/connections",
    access: "credentials:read",
    body: "none",
  },
  {
    name: "readConnection",
    method: "GET",
    path: "/v1/connections/{connection_id}",
    access: "credentials:read",
    body: "none",
  },
  {
    name: "completeConnection",
    method: "POST",
    path: "/v1/connections/{connection_id}/complete",
    access: "tool_results:write",
    verb: "tool_result",
    finds_session: true,
    body: "small",
  },
  {
    name: "deleteConnection",
    method: "DELETE",
    path: "/v1/connections/{connection_id}",
    access: "credentials:write",
    body: "none",
  },
] as const satisfies readonly Route[];
