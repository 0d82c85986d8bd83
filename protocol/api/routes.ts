// Every route of the API, with what it demands. The Worker registers exactly this table; the tenancy
// suite and the OpenAPI document are made from it. No zod here.
import type { IdPrefix } from "../ids.ts";
import type { Scope } from "./api-keys.ts";

/** `public` needs no credential, `operator` the operator's key, a scope a tenant's key that holds it. */
export type Access = "public" | "operator" | Scope;

export interface Route {
  /** Names the operation; unique. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters stand in braces. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The operator may act here for a tenant that the request names. */
  readonly operator_for_tenant?: true;
  /** What the request carries: `json` up to `MAX_BODY_BYTES`, `media` up to `MAX_MEDIA_BODY_BYTES`. */
  readonly body: "none" | "json" | "media";
}

export const ROUTES = [
  { name: "readHealth", method: "GET", path: "/healthz", access: "public", body: "none" },
  { name: "readOpenApi", method: "GET", path: "/openapi.json", access: "public", body: "none" },
  { name: "readLlmsText", method: "GET", path: "/llms.txt", access: "public", body: "none" },
  { name: "readDocs", method: "GET", path: "/docs", access: "public", body: "none" },

  { name: "createTenant", method: "POST", path: "/v1/tenants", access: "operator", body: "json" },
  { name: "listTenants", method: "GET", path: "/v1/tenants", access: "operator", body: "none" },
  {
    name: "readTenant",
    method: "GET",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    body: "none",
  },
  {
    name: "updateTenant",
    method: "PATCH",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    body: "json",
  },
  {
    name: "deleteTenant",
    method: "DELETE",
    path: "/v1/tenants/{tenant_id}",
    access: "operator",
    body: "none",
  },

  {
    name: "createApiKey",
    method: "POST",
    path: "/v1/api-keys",
    access: "keys:write",
    operator_for_tenant: true,
    body: "json",
  },
  {
    name: "listApiKeys",
    method: "GET",
    path: "/v1/api-keys",
    access: "keys:read",
    operator_for_tenant: true,
    body: "none",
  },
  {
    name: "rotateApiKey",
    method: "POST",
    path: "/v1/api-keys/{key_id}/rotate",
    access: "keys:write",
    operator_for_tenant: true,
    body: "json",
  },
  {
    name: "revokeApiKey",
    method: "DELETE",
    path: "/v1/api-keys/{key_id}",
    access: "keys:write",
    operator_for_tenant: true,
    body: "none",
  },

  {
    name: "createCredential",
    method: "POST",
    path: "/v1/credentials",
    access: "agents:write",
    body: "json",
  },
  {
    name: "listCredentials",
    method: "GET",
    path: "/v1/credentials",
    access: "agents:read",
    body: "none",
  },
  {
    name: "deleteCredential",
    method: "DELETE",
    path: "/v1/credentials/{credential_id}",
    access: "agents:write",
    body: "none",
  },

  { name: "createAgent", method: "POST", path: "/v1/agents", access: "agents:write", body: "json" },
  { name: "listAgents", method: "GET", path: "/v1/agents", access: "agents:read", body: "none" },
  {
    name: "readAgent",
    method: "GET",
    path: "/v1/agents/{agent_id}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "updateAgent",
    method: "PATCH",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "json",
  },
  {
    name: "deleteAgent",
    method: "DELETE",
    path: "/v1/agents/{agent_id}",
    access: "agents:write",
    body: "none",
  },
  {
    name: "listAgentVersions",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions",
    access: "agents:read",
    body: "none",
  },
  {
    name: "readAgentVersion",
    method: "GET",
    path: "/v1/agents/{agent_id}/versions/{version}",
    access: "agents:read",
    body: "none",
  },

  {
    name: "createSession",
    method: "POST",
    path: "/v1/sessions",
    access: "sessions:write",
    body: "json",
  },
  {
    name: "listSessions",
    method: "GET",
    path: "/v1/sessions",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "readSession",
    method: "GET",
    path: "/v1/sessions/{session_id}",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "updateSession",
    method: "PATCH",
    path: "/v1/sessions/{session_id}",
    access: "sessions:write",
    body: "json",
  },
  {
    name: "deleteSession",
    method: "DELETE",
    path: "/v1/sessions/{session_id}",
    access: "sessions:write",
    body: "none",
  },

  {
    name: "createReply",
    method: "POST",
    path: "/v1/sessions/{session_id}/replies",
    access: "replies:write",
    body: "media",
  },
  {
    name: "listReplies",
    method: "GET",
    path: "/v1/sessions/{session_id}/replies",
    access: "replies:read",
    body: "none",
  },
  {
    name: "readReply",
    method: "GET",
    path: "/v1/sessions/{session_id}/replies/{reply_id}",
    access: "replies:read",
    body: "none",
  },
  {
    name: "interrupt",
    method: "POST",
    path: "/v1/sessions/{session_id}/interrupt",
    access: "replies:write",
    body: "none",
  },

  {
    name: "readEvents",
    method: "GET",
    path: "/v1/sessions/{session_id}/events",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "listMessages",
    method: "GET",
    path: "/v1/sessions/{session_id}/messages",
    access: "sessions:read",
    body: "none",
  },
  {
    name: "readMessage",
    method: "GET",
    path: "/v1/sessions/{session_id}/messages/{message_id}",
    access: "sessions:read",
    body: "none",
  },

  { name: "readUsage", method: "GET", path: "/v1/usage", access: "usage:read", body: "none" },
] as const satisfies readonly Route[];

export type RouteName = (typeof ROUTES)[number]["name"];

/** The kind of id that a path parameter holds; a message's id may be the client's own, a version counts from 1. */
export const PATH_PARAMETERS: Readonly<Record<string, IdPrefix | "any" | "number">> = {
  tenant_id: "ten",
  key_id: "key",
  credential_id: "crd",
  agent_id: "agt",
  version: "number",
  session_id: "ses",
  reply_id: "rep",
  message_id: "any",
};

/** On the answer of a POST that streams: the id of the reply that the stream shows. */
export const REPLY_ID_HEADER = "Reprise-Reply-Id";
