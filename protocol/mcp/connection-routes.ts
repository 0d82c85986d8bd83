// Routes on the grants that the platform has at MCP servers, and on how a person's sign-in ends.
import {
  ConnectionPageSchema,
  ConnectionCompleteSchema,
  ConnectionListQuerySchema,
  ConnectionSchema,
} from "./connections.ts";
import { OAUTH_CALLBACK_PATH } from "./mcp-oauth.ts";
import type { DocumentedRoute } from "../requests/contract.ts";

export const CONNECTION_ROUTES = [
  {
    name: "showSignIn",
    method: "GET",
    path: OAUTH_CALLBACK_PATH,
    access: "public",
    is_limited: true,
    body: "none",
    tag: "Connections",
    summary: "The page that ends a sign-in",
    description:
      "Authorization servers send browsers here. It shows a code, and posts it to the page that has opened it where the server's `opener_origins` allow that page. Nothing is granted before the code was handed back.",
    answers: { 200: { description: "A page.", other: "text/html" } },
  },

  {
    name: "showIssuerSignIn",
    method: "GET",
    path: `${OAUTH_CALLBACK_PATH}/{issuer_hash}`,
    access: "public",
    is_limited: true,
    body: "none",
    tag: "Connections",
    summary: "The same page for one authorization server",
    description:
      "The redirect address of the clients that the platform registers: one for each authorization server, so that a code of another one is refused here.",
    answers: { 200: { description: "A page.", other: "text/html" } },
  },

  {
    name: "listConnections",
    method: "GET",
    path: "/v1/connections",
    access: "credentials:read",
    body: "none",
    tag: "Connections",
    summary: "List connections",
    description: "Newest first. Never their tokens.",
    query: ConnectionListQuerySchema,
    answers: { 200: { description: "A page of connections.", json: ConnectionPageSchema } },
  },

  {
    name: "readConnection",
    method: "GET",
    path: "/v1/connections/{connection_id}",
    access: "credentials:read",
    body: "none",
    tag: "Connections",
    summary: "Get a connection",
    description: "Never its tokens.",
    answers: {
      200: { description: "The connection.", json: ConnectionSchema, examples: ["connection"] },
    },
  },

  {
    name: "completeConnection",
    method: "POST",
    path: "/v1/connections/{connection_id}/complete",
    access: "tool_results:write",
    verb: "tool_result",
    finds_session: true,
    body: "small",
    tag: "Connections",
    summary: "Complete a sign-in",
    description: [
      "With the code that the sign-in's page has shown or posted. A client token does it for a session of the same end",
      "user alone, an API key for all. The calls that wait for it run then. A repeated request finds the grant.",
    ].join(" "),
    request: { json: ConnectionCompleteSchema, examples: ["connectionComplete"] },
    answers: {
      200: {
        description: "The connection, active.",
        json: ConnectionSchema,
        examples: ["connection"],
      },
    },
    errors: ["conflict", "mcp_failed"],
  },

  {
    name: "deleteConnection",
    method: "DELETE",
    path: "/v1/connections/{connection_id}",
    access: "credentials:write",
    body: "none",
    tag: "Connections",
    summary: "Revoke a connection",
    description:
      "Its tokens are forgotten at once, and revoked at their issuer as far as that can be done (RFC 7009). Calls ask for a sign-in again.",
    answers: { 204: { description: "The connection is removed." } },
  },
] as const satisfies readonly DocumentedRoute[];
