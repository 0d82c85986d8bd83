// The route table: every route of the API with its access rule. The Worker registers exactly these; the tenancy tests
// and the OpenAPI document are generated from it. No zod here: the SDK uses this file.
import type { IdPrefix } from "./ids.ts";
import { AG_UI_ROUTES } from "./ag-ui/routes.ts";
import { AGENT_ROUTES } from "./agents/routes.ts";
import { FILE_ROUTES } from "./files/routes.ts";
import { INBOUND_ROUTES } from "./inbound/routes.ts";
import { CONVERSATION_ROUTES } from "./sessions/conversation-routes.ts";
import { AGENT_MCP_ROUTES } from "./agent-mcp/routes.ts";
import { CONNECTION_ROUTES } from "./mcp/connection-routes.ts";
import { MCP_ROUTES } from "./mcp/routes.ts";
import { PEOPLE_ROUTES } from "./confirmations/routes.ts";
import { SESSION_ROUTES } from "./sessions/routes.ts";
import { TENANCY_ROUTES } from "./tenants/routes.ts";
import { SKILL_ROUTES } from "./skills/routes.ts";
import { WEBHOOK_ROUTES } from "./webhooks/routes.ts";

export { BODY_BYTES } from "./requests/route.ts";
export type { Route } from "./requests/route.ts";

export const ROUTES = [
  ...TENANCY_ROUTES,
  ...AGENT_ROUTES,
  ...SKILL_ROUTES,
  ...SESSION_ROUTES,
  ...CONVERSATION_ROUTES,
  ...AG_UI_ROUTES,
  ...AGENT_MCP_ROUTES,
  ...FILE_ROUTES,
  ...MCP_ROUTES,
  ...CONNECTION_ROUTES,
  ...PEOPLE_ROUTES,
  ...INBOUND_ROUTES,
  ...WEBHOOK_ROUTES,
] as const;

export type RouteName = (typeof ROUTES)[number]["name"];

/**
 * The id prefix of each path parameter; `any` where the value is not an id of the platform: a message's id may be the
 * client's, a version is a number, a token has no fixed length, a hash is SHA-256 in hex.
 */
export const PATH_PARAMETERS: Readonly<
  Record<string, IdPrefix | "any" | "hash" | "number" | "token">
> = {
  tenant_id: "ten",
  key_id: "key",
  credential_id: "crd",
  agent_id: "agt",
  version: "number",
  skill_id: "skl",
  tool_name: "any",
  session_id: "ses",
  reply_id: "rep",
  message_id: "any",
  token_id: "tok",
  callback_token: "token",
  inbound_endpoint_id: "whi",
  endpoint_id: "whk",
  delivery_id: "whd",
  rule_id: "rul",
  file_id: "fil",
  mcp_server_id: "mcp",
  mcp_tool_name: "any",
  connection_id: "con",
  issuer_hash: "hash",
  link_token: "token",
  token_issuer_id: "tki",
};

export { REPLY_ID_HEADER } from "./requests/headers.ts";
