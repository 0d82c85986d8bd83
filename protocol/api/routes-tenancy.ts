// The platform itself, tenants, their keys and secrets, and what they have used.
import type { Route } from "./route.ts";

export const TENANCY_ROUTES = [
  { name: "readHealth", method: "GET", path: "/healthz", access: "public", body: "none" },
  { name: "readOpenApi", method: "GET", path: "/openapi.json", access: "public", body: "none" },
  { name: "readLlmsText", method: "GET", path: "/llms.txt", access: "public", body: "none" },
  { name: "readDocs", method: "GET", path: "/docs", access: "public", body: "none" },

  {
    name: "createTenant",
    method: "POST",
    path: "/v1/tenants",
    access: "operator",
    keeps_keys: "database",
    body: "small",
  },
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
    body: "small",
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
    keeps_keys: "database",
    body: "small",
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
    keeps_keys: "database",
    body: "small",
  },
  {
    name: "revokeApiKeys",
    method: "POST",
    path: "/v1/api-keys/{key_id}/revoke",
    access: "keys:write",
    operator_for_tenant: true,
    keeps_keys: "database",
    body: "small",
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
    keeps_keys: "database",
    body: "small",
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

  { name: "readUsage", method: "GET", path: "/v1/usage", access: "usage:read", body: "none" },

  {
    name: "listAudit",
    method: "GET",
    path: "/v1/audit",
    access: "audit:read",
    operator_for_tenant: true,
    body: "none",
  },
] as const satisfies readonly Route[];
