// Connections: the grants that the platform has at MCP servers.
import {
  ConnectionPageSchema,
  ConnectionCompleteSchema,
  ConnectionListQuerySchema,
  ConnectionSchema,
} from "../../../protocol/mcp/connections.ts";
import { ASKED_AT } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const connection = {
  id: "con_01kaj2vm5p8r2t6v9x3z7b1d4f",
  mcp_server_id: "mcp_01kaj2vm5p8r2t6v9x3z7b1d4f",
  end_user_id: "user-7",
  status: "active",
  issuer: "https://login.warehouse.example",
  scope: "orders:read",
  failure: null,
  created_at: ASKED_AT,
  updated_at: ASKED_AT,
};

export const CONNECTIONS = {
  tags: {
    Connections: "Grants at MCP servers, of the tenant or of its end users, by sign-in with OAuth.",
  },
  operations: {
    showSignIn: {
      tag: "Connections",
      summary: "The page that ends a sign-in",
      description:
        "Authorization servers send browsers here. It shows a code, and posts it to the page that has opened it where the server's `opener_origins` allow that page. Nothing is granted before the code was handed back.",
      answers: { 200: { description: "A page.", other: "text/html" } },
    },
    showIssuerSignIn: {
      tag: "Connections",
      summary: "The same page for one authorization server",
      description:
        "The redirect address of the clients that the platform registers: one for each authorization server, so that a code of another one is refused here.",
      answers: { 200: { description: "A page.", other: "text/html" } },
    },
    listConnections: {
      tag: "Connections",
      summary: "List connections",
      description: "Newest first. Never their tokens.",
      query: ConnectionListQuerySchema,
      answers: { 200: { description: "A page of connections.", json: ConnectionPageSchema } },
    },
    readConnection: {
      tag: "Connections",
      summary: "Get a connection",
      description: "Never its tokens.",
      answers: {
        200: { description: "The connection.", json: ConnectionSchema, examples: ["connection"] },
      },
    },
    completeConnection: {
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
    deleteConnection: {
      tag: "Connections",
      summary: "Revoke a connection",
      description:
        "Its tokens are forgotten at once, and revoked at their issuer as far as that can be done (RFC 7009). Calls ask for a sign-in again.",
      answers: { 204: { description: "The connection is removed." } },
    },
  },
  pathParameters: {
    connection_id: "The connection.",
    issuer_hash: "SHA-256 of the authorization server's issuer, in hex.",
  },
  queryParameters: { mcp_server_id: "Only those at this MCP server." },

  fieldDescriptions: {
    mcp_server_id: "The MCP server.",
    connection_id: "The grant that a sign-in is awaited for.",
    authorization:
      "The sign-in that the call waits for, in place of a result; left out of all other calls.",
    "Connection.end_user_id": "Whose it is; null for the tenant's own.",
    "Connection.status":
      "`waiting`: a sign-in has begun; `active`: calls use it; `failed`: it was revoked, has ended or was refused.",
    "Connection.issuer": "The authorization server; null before it was found.",
    "Connection.scope":
      "What was granted, separated by spaces: what was asked for when the issuer does not say. Null for neither.",
    "Connection.failure": "Why it failed; null otherwise.",
    "Connection.updated_at": "When it was last changed.",
    "ConnectionComplete.code": "What the page at the end of the sign-in shows.",
  },
  examples: {
    connection: { summary: "A connection of an end user", value: connection },
    connectionComplete: { summary: "The code of the page", value: { code: "sc_5f1d2c" } },
  },
} as const satisfies Resource;
